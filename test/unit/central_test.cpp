// The parts of central schedulers: sharing, books, copies, workers and the door, each by itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "agents/central/books.hpp"
#include "agents/central/central.hpp"
#include "agents/central/sharing.hpp"
#include "core/peer/rng.hpp"
#include "test/support/scene.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::central_test {

using agents::Task;
using agents::TaskId;
using core::PeerId;
using core::seconds;
using std::chrono::milliseconds;
using namespace agents::central;  // NOLINT(google-build-using-namespace)

namespace {

using Split = std::vector<std::uint32_t>;
using Stage = test::Scene<Messages, Env>;

// The split of eight workers, where a batch of b queries takes fixed + each * b.
Split published(double inception, double resnet, double fixed_i = 5, double fixed_r = 3.2) {
  const double first = inception / (fixed_i + 0.5 * inception);
  const double second = resnet / (fixed_r + 0.61 * resnet);
  return share_workers({first, second}, 8);
}

bool all_hold(double fixed_i, double fixed_r) {
  return published(10, 20, fixed_i, fixed_r) == Split{5, 3} &&
         published(10, 5, fixed_i, fixed_r) == Split{4, 4} &&
         published(10, 10, fixed_i, fixed_r) == Split{4, 4} &&
         published(2, 10, fixed_i, fixed_r) == Split{6, 2};
}

std::vector<Task> tasks(std::uint32_t job, std::uint32_t first, std::uint32_t count) {
  std::vector<Task> made;
  for (std::uint32_t i = first; i < first + count; ++i)
    made.push_back({.id = {job, i}, .duration = milliseconds(500)});
  return made;
}

Relay change(std::uint32_t number, std::vector<Task> added, std::vector<TaskId> done = {}) {
  Relay part{};
  part.epoch = 1;
  part.number = number;
  part.added = std::move(added);
  part.done = std::move(done);
  return part;
}

Rules rules_for(Succession succession, const agents::World& world, std::vector<QueryModel> models) {
  Options options;
  options.succession = succession;
  return make_rules(options, std::move(models), world);
}

}  // namespace

TEST_CASE("the four published splits of eight workers come out exactly") {
  CHECK(published(10, 20) == Split{5, 3});
  CHECK(published(10, 5) == Split{4, 4});
  CHECK(published(10, 10) == Split{4, 4});
  CHECK(published(2, 10) == Split{6, 2});
}

TEST_CASE("no rule without a fixed cost of a batch gives the published splits") {
  CHECK_FALSE(all_hold(0, 0));
  CHECK(all_hold(5, 3.2));
}

// Beside 3.2 for ResNet, Inception may have 4.9 to 6.95; beside 5 for Inception, ResNet 1.68
// to 3.35.
TEST_CASE("the published splits hold in a range of fixed costs around ours") {
  for (const double fixed : {4.9, 5.5, 6.0, 6.95}) CHECK(all_hold(fixed, 3.2));
  for (const double fixed : {4.8, 7.1}) CHECK_FALSE(all_hold(fixed, 3.2));
  for (const double fixed : {1.7, 2.5, 3.0, 3.35}) CHECK(all_hold(5, fixed));
  for (const double fixed : {1.5, 3.5}) CHECK_FALSE(all_hold(5, fixed));
}

TEST_CASE("no other split between two models is fairer, and each gets a worker") {
  core::Rng rng = core::Rng::derive({7}, "shares");
  for (int round = 0; round < 2000; ++round) {
    const std::vector<double> rates{rng.uniform(0.01, 3), rng.uniform(0.01, 3)};
    const auto workers = static_cast<std::uint32_t>(rng.between(2, 40));
    const Split split = share_workers(rates, workers);
    REQUIRE(split[0] + split[1] == workers);
    REQUIRE(std::min(split[0], split[1]) >= 1);
    const auto unfair = [&](std::uint32_t first) {
      return std::abs(rates[0] * first - rates[1] * (workers - first));
    };
    for (std::uint32_t first = 1; first < workers; ++first)
      REQUIRE(unfair(split[0]) <= unfair(first) + 1e-9);
  }
}

TEST_CASE("each of many models gets a worker while there are enough") {
  CHECK(share_workers({1, 1, 1}, 2) == Split{1, 1, 0});
  CHECK(share_workers({1, 1, 1}, 9) == Split{3, 3, 3});
  CHECK(share_workers({100, 100, 1}, 6) == Split{1, 1, 4});
  CHECK(share_workers({}, 5).empty());
}

TEST_CASE("a batch holds queries of one job, and returned ones go first") {
  ModelQueue queue(QueryModel{.batch = 4, .load = milliseconds(5000), .query = milliseconds(500)});
  for (const Task& task : tasks(0, 0, 6)) queue.add(task);
  for (const Task& task : tasks(2, 0, 3)) queue.add(task);
  Batch first = queue.next();
  CHECK(first.tasks.size() == 4);
  queue.put_back(first);
  CHECK(queue.next().tasks.front().id == TaskId{0, 0});
  CHECK(queue.next().tasks.size() == 2);  // the rest of job 0, and nothing of job 2
  CHECK(queue.next().tasks.front().id == TaskId{2, 0});
  CHECK(queue.empty());
}

TEST_CASE("the rate of a model is that of its measured batches, before them the expected one") {
  ModelQueue queue(QueryModel{.batch = 10, .load = milliseconds(5000), .query = milliseconds(500)});
  CHECK(queue.rate(1) == doctest::Approx(1));
  CHECK(queue.rate(3) == doctest::Approx(3));
  queue.measure(milliseconds(4000));
  queue.measure(milliseconds(6000));
  CHECK(queue.rate(1) == doctest::Approx(2));
  CHECK(queue.rate(3) == doctest::Approx(2));  // measured at whatever speed workers have
}

TEST_CASE("a copy has undone tasks in order, and a whole one counts with its last part only") {
  Copy copy;
  copy.begin_empty();
  copy.apply(change(1, tasks(0, 0, 3), {{0, 1}}));
  REQUIRE(copy.undone().size() == 2);
  CHECK(copy.undone()[1].id == TaskId{0, 2});
  const auto parts = in_parts(2, tasks(1, 0, 2500), {7}, {});
  REQUIRE(parts.size() == 3);
  copy.begin_again();
  copy.apply(parts[0]);
  copy.apply(parts[1]);
  CHECK_FALSE(copy.valid());
  CHECK(copy.undone().size() == 2);
  copy.apply(parts[2]);
  CHECK(copy.valid());
  CHECK(copy.undone().size() == 2500);
  CHECK(copy.hands().contains(7));
}

TEST_CASE("a keeper takes parts in order, each once, and says up to which it has come") {
  Stage stage{PeerId{2}};
  CopyKeeper keeper;
  keeper.copy().begin_empty();
  keeper.on(stage.env(), PeerId{1}, change(2, tasks(0, 5, 1)));
  keeper.on(stage.env(), PeerId{1}, change(1, tasks(0, 0, 2)));
  keeper.on(stage.env(), PeerId{1}, change(1, tasks(0, 0, 2)));
  CHECK(keeper.copy().undone().size() == 2);
  const auto answers = stage.sent<Relayed>();
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].second.number == 0);
  CHECK(answers[2].second.number == 1);
}

TEST_CASE("hands are safe once their part has been acknowledged, and told once") {
  Stage stage{PeerId{1}};
  Copier copier(1);
  copier.go_on_at(PeerId{2});
  copier.taken(1, tasks(0, 0, 2));
  CHECK(copier.safe_hands().empty());
  copier.flush(stage.env());
  CHECK(copier.safe_hands().empty());
  copier.acknowledged(PeerId{3}, {1, 0, 1});
  CHECK_FALSE(copier.settled());
  copier.acknowledged(PeerId{2}, {1, 0, 1});
  CHECK(copier.safe_hands() == std::vector<std::uint32_t>{1});
  CHECK(copier.safe_hands().empty());
  for (const std::uint32_t hand : {2U, 3U}) {
    copier.taken(hand, tasks(0, hand, 1));
    copier.flush(stage.env());
  }
  copier.acknowledged(PeerId{2}, {1, 0, 2});
  CHECK(copier.safe_hands() == std::vector<std::uint32_t>{2});  // the third part is under way
}

TEST_CASE("a worker of a stopped batch returns the tasks that it has executed, and no others") {
  Stage stage{PeerId{3}};
  Worker worker({}, true);
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 3)});
  stage.pass(milliseconds(500));
  worker.on(stage.env(), core::WorkDone{.id = {0, 0}, .took = milliseconds(500)});
  worker.on(stage.env(), PeerId{1}, Preempt{1, 5});
  const auto done = stage.sent<Done>();
  REQUIRE(done.size() == 1);
  CHECK(done[0].second.tasks.size() == 1);
  CHECK(done[0].second.took == milliseconds(500));
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 3)});
  CHECK(stage.sent<Done>().size() == 2);  // told again, not executed again
  worker.on(stage.env(), PeerId{1}, Noted{1, 5});
  CHECK_FALSE(worker.busy());
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 3)});  // a late copy
  CHECK_FALSE(worker.busy());
}

TEST_CASE("a worker drops its batches under a new head, and joins it") {
  const auto world = test::small_world({.peers = 5});
  const Rules rules = rules_for(Succession::lease, world, {{}});
  Stage stage{PeerId{3}};
  Worker worker({}, true);
  Follower follower(rules, world, worker);
  follower.begin(stage.env(), true);
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 1)});
  REQUIRE(worker.busy());
  follower.on(stage.env(), PeerId{0}, Leader{2, PeerId{2}});
  CHECK_FALSE(worker.busy());
  REQUIRE(stage.sent<Join>().size() == 1);
  CHECK(stage.sent<Join>()[0].first == PeerId{2});
}

TEST_CASE("a peer that has not heard of a head claims its office once that has lost its books") {
  const auto world = test::small_world({.peers = 5});
  const Rules rules = rules_for(Succession::lease, world, {{}});
  Stage stage{PeerId{3}};
  Worker worker({}, true);
  Follower follower(rules, world, worker);
  follower.begin(stage.env(), true);
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 1)});
  follower.on(stage.env(), PeerId{0}, Leader{2, core::no_peer});
  CHECK_FALSE(worker.busy());
  follower.tick(stage.env());
  REQUIRE(stage.sent<Claim>().size() == 1);
  CHECK(stage.sent<Claim>()[0].second.epoch == 2);
}

TEST_CASE("a worker that retires gets no more batches, and is released once it has none") {
  auto world = test::small_world({.peers = 4});
  for (agents::Capacity& capacity : world.capacities) capacity.slots = 2;
  const Rules rules = rules_for(Succession::lease, world, {{}});
  Stage stage{PeerId{1}};
  Head head(rules, world, 1);
  Copy nothing;
  nothing.begin_empty();
  head.begin(stage.env(), nothing, true);
  head.on(stage.env(), PeerId{0}, Hand{1, tasks(0, 0, 1)});
  REQUIRE(stage.sent<Assign>().size() == 1);
  const auto [worker, first] = stage.sent<Assign>()[0];
  head.on(stage.env(), worker, Retire{1});
  CHECK(stage.sent<Retired>().empty());
  head.on(stage.env(), PeerId{0}, Hand{2, tasks(0, 1, 9)});
  REQUIRE(stage.sent<Assign>().size() == 3);  // the other worker has two slots
  for (std::size_t i = 1; i < 3; ++i) CHECK(stage.sent<Assign>()[i].first != worker);
  head.on(stage.env(), worker, Done{1, first.batch, {}, {agents::product_of(first.tasks[0])}});
  REQUIRE(stage.sent<Retired>().size() == 1);
  CHECK(stage.sent<Retired>()[0].first == worker);
}

TEST_CASE("if two batches have the same task the later one counts, in whatever order they come") {
  Stage stage{PeerId{3}};
  Worker worker({}, true);
  worker.on(stage.env(), PeerId{1}, Assign{1, 6, {}, tasks(0, 0, 1)});
  worker.on(stage.env(), PeerId{1}, Assign{1, 5, {}, tasks(0, 0, 1)});
  worker.on(stage.env(), core::WorkDone{.id = {0, 0}, .took = milliseconds(500)});
  REQUIRE(stage.sent<Done>().size() == 1);
  CHECK(stage.sent<Done>()[0].second.batch == 6);
}

TEST_CASE("the door counts a result once, and no result of a head that has been succeeded") {
  auto world = test::small_world({.peers = 5});
  world.loses = true;
  const Rules rules = rules_for(Succession::lease, world, {{}});
  Door door(rules, world);
  Stage stage{PeerId{0}};
  door.on(stage.env(), agents::Submitted{0, world.workload.jobs[0].portions});
  REQUIRE(stage.sent<Hand>().size() == 1);
  CHECK(stage.sent<Hand>()[0].first == PeerId{1});
  const Report report{1, 1, {{{{0, 0}, {}}, PeerId{3}}}};
  door.on(stage.env(), PeerId{1}, report);
  door.on(stage.env(), PeerId{1}, report);
  CHECK(stage.raised<agents::Finished>() == 1);
  stage.pass(rules.options.detection() + milliseconds(1));
  door.on(stage.env(), PeerId{4}, Claim{1, 0});
  REQUIRE(stage.sent<Grant>().size() == 1);
  CHECK(stage.sent<Grant>()[0].second.epoch == 2);
  door.on(stage.env(), PeerId{1}, Report{1, 2, {{{{0, 1}, {}}, PeerId{3}}}});
  CHECK(stage.raised<agents::Finished>() == 1);
  CHECK(stage.sent<Leader>().back().first == PeerId{1});
}

TEST_CASE("the door grants no peer the office of a head that it hears, and each epoch once") {
  auto world = test::small_world({.peers = 5});
  const Rules rules = rules_for(Succession::lease, world, {{}});
  Door door(rules, world);
  Stage stage{PeerId{0}};
  stage.pass(rules.options.detection());
  door.on(stage.env(), PeerId{1}, Ping{1, {}, 0});
  stage.pass(milliseconds(1));
  door.on(stage.env(), PeerId{4}, Claim{1, 0});
  CHECK(stage.sent<Grant>().empty());
  stage.pass(rules.options.detection());
  door.on(stage.env(), PeerId{4}, Claim{1, 0});
  door.on(stage.env(), PeerId{3}, Claim{1, 0});
  REQUIRE(stage.sent<Grant>().size() == 1);
  CHECK(stage.sent<Grant>()[0].first == PeerId{4});
}

TEST_CASE("only the registered standby succeeds a coordinator that keeps more than the door") {
  auto world = test::small_world({.peers = 5});
  world.loses = true;
  const Rules rules = rules_for(Succession::standby, world, {{}});
  Door door(rules, world);
  Stage stage{PeerId{0}};
  door.on(stage.env(), agents::Submitted{0, world.workload.jobs[0].portions});
  door.on(stage.env(), PeerId{1}, Taken{1, true});
  stage.pass(rules.options.detection() + milliseconds(1));
  door.on(stage.env(), PeerId{3}, Claim{1, 0});
  door.on(stage.env(), PeerId{3}, Who{0});
  CHECK(stage.sent<Grant>().empty());
  door.on(stage.env(), PeerId{2}, Claim{1, 0});
  CHECK(stage.sent<Grant>().size() == 1);
}

TEST_CASE("a head that asks for the head has lost its books, and may be succeeded at once") {
  auto world = test::small_world({.peers = 5});
  const Rules rules = rules_for(Succession::standby, world, {{}});
  Door door(rules, world);
  Stage stage{PeerId{0}};
  door.on(stage.env(), PeerId{2}, Claim{1, 0});
  CHECK(stage.sent<Grant>().empty());
  door.on(stage.env(), agents::Submitted{0, world.workload.jobs[0].portions});
  door.on(stage.env(), PeerId{1}, Taken{1, true});
  door.on(stage.env(), PeerId{1}, Who{1});
  door.on(stage.env(), PeerId{2}, Claim{1, 0});
  CHECK(stage.sent<Grant>().size() == 1);
}

TEST_CASE("models are written in words, and a wrong one is refused with the word") {
  std::string why;
  const auto models = parse_models("10/5s/0.5s 20/3.2s/0.61s", why);
  REQUIRE(models.size() == 2);
  CHECK(models[1].batch == 20);
  CHECK(seconds(models[1].load) == doctest::Approx(3.2));
  for (const char* wrong :
       {"", "10", "10/5/1", "0/5s/1s", "10/5s", "1/0s/0s", "x/5s/1s", "1/-1s/1s"}) {
    CHECK(parse_models(wrong, why).empty());
    CHECK(why.starts_with("models: "));
  }
}

}  // namespace rhizome::central_test
