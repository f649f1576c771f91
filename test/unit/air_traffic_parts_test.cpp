// The parts of Air Traffic Control, each without the peer that owns them.
#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "agents/air_traffic/edges.hpp"
#include "agents/air_traffic/leader.hpp"
#include "agents/air_traffic/queue.hpp"
#include "agents/air_traffic/queue_death_vote.hpp"
#include "agents/air_traffic/worker.hpp"
#include "agents/client.hpp"
#include "test/support/scene.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::air_traffic_parts_test {

using namespace agents::traffic;
using namespace std::chrono_literals;
using agents::TaskId;
using core::PeerId;

namespace {

constexpr PeerId queue{0};
constexpr PeerId me{1};
constexpr PeerId leader{2};
constexpr PeerId other{3};

using Scene = test::Scene<Messages, Env>;

std::vector<agents::Task> tasks_of(std::uint32_t job, std::uint32_t count) {
  std::vector<agents::Task> tasks;
  for (std::uint32_t i = 0; i < count; ++i)
    tasks.push_back({.id = {job, i}, .duration = std::chrono::milliseconds(100)});
  return tasks;
}

core::Time at(core::Duration since_start) { return core::Time{} + since_start; }

struct LoneWorker {
  Options options;
  Scene scene{me};
  QueueDeathVote queue_death_vote{options, queue, 2};
  Worker worker{options, queue, {.slots = 1}, queue_death_vote};
  Signpost signpost{options, queue, worker};
};

}  // namespace

TEST_CASE("the queue is dead once all others doubt, or have had time enough") {
  Options options;
  Scene scene(me);
  QueueDeathVote queue_death_vote(options, queue, 2);
  CHECK_FALSE(queue_death_vote.doubts(at(options.patience())));
  CHECK(queue_death_vote.doubts(at(options.patience() + 1ms)));
  scene.pass(options.patience() + 1ms);
  queue_death_vote.on(scene.env(), leader, Doubt{});
  queue_death_vote.on(scene.env(), queue, Doubt{});  // any message shows that it lives
  CHECK_FALSE(queue_death_vote.over(scene.now()));
  queue_death_vote.on(scene.env(), other, Doubt{});
  CHECK(queue_death_vote.over(scene.now()));
  CHECK_FALSE(queue_death_vote.over(scene.now() + options.timeout + 1ms));  // their doubts are old
  CHECK(queue_death_vote.over(at(options.patience() + options.longest_cut + 1ms)));
  queue_death_vote.alive(scene.now());
  CHECK_FALSE(queue_death_vote.doubts(scene.now()));
}

TEST_CASE("an edge that is silent goes, and the queue is told until it answers") {
  Options options;
  Scene scene(me);
  Edges edges(options);
  edges.link(scene.env(), me);  // no leader is its own neighbour
  edges.introduce(scene.env(), leader);
  edges.on(scene.env(), other, Linked{});
  CHECK(edges.list() == std::vector<PeerId>{leader, other});
  scene.pass(2 * options.timeout + 1ms);
  edges.on(scene.env(), other, Linked{});
  edges.tick(scene.env(), queue);
  edges.tick(scene.env(), queue);
  CHECK(edges.list() == std::vector<PeerId>{other});
  CHECK(scene.sent<Bereaved>().size() == 2);
  edges.on(scene.env(), queue, Neighbour{leader});
  edges.tick(scene.env(), queue);
  CHECK(scene.sent<Bereaved>().size() == 2);
  CHECK(edges.contains(leader));
}

TEST_CASE(
    "a leader that goes names its successor to all neighbours, which become the successor's") {
  Options options;
  Scene scene(me);
  Edges edges(options);
  edges.link(scene.env(), leader);
  edges.link(scene.env(), other);
  edges.hand_over(scene.env(), leader);
  CHECK(edges.list().empty());
  CHECK(scene.sent<Unlinked>().size() == 2);
  Edges theirs(options);
  theirs.link(scene.env(), me);
  theirs.on(scene.env(), me, Unlinked{leader});
  CHECK(theirs.list() == std::vector<PeerId>{leader});
}

TEST_CASE("a signpost gives work back, passes results on and grants no merge") {
  LoneWorker alone;
  alone.signpost.on(alone.scene.env(), queue, Portion{7, 0, 1, {}});
  alone.signpost.on(alone.scene.env(), other, Portion{8, 0, 1, {}});
  REQUIRE(alone.scene.sent<Return>().size() == 1);
  CHECK(alone.scene.sent<Return>()[0].second.ticket == 7);
  alone.signpost.on(alone.scene.env(), other, Done{{{{0, 0}, other}}});
  REQUIRE(alone.scene.sent<Done>().size() == 1);
  CHECK(alone.scene.sent<Done>()[0].first == queue);
  alone.signpost.on(alone.scene.env(), other, MergeAsk{});
  CHECK(alone.scene.sent<MergeRefuse>().size() == 1);
}

TEST_CASE("a signpost names its leader only to workers of an older epoch") {
  LoneWorker alone;
  alone.signpost.on(alone.scene.env(), other, WorkerAlive{1, 3, {}});
  CHECK(alone.scene.sent<Follow>().empty());  // it follows no leader
  alone.worker.follow(alone.scene.env(), leader, 5, "");
  alone.signpost.on(alone.scene.env(), other, WorkerAlive{1, 5, {}});
  CHECK(alone.scene.sent<Follow>().empty());
  alone.signpost.on(alone.scene.env(), other, WorkerAlive{1, 4, {}});
  REQUIRE(alone.scene.sent<Follow>().size() == 1);
  CHECK(alone.scene.sent<Follow>()[0].second.leader == leader);
}

TEST_CASE("a worker takes tasks of its own leader, does each once and tells it again when asked") {
  LoneWorker alone;
  alone.worker.follow(alone.scene.env(), leader, 1, "");
  alone.worker.on(alone.scene.env(), other, Assign{tasks_of(0, 1)});
  alone.worker.on(alone.scene.env(), core::WorkDone{.id = {0, 0}, .took = 100ms});
  CHECK(alone.scene.sent<Done>().empty());
  alone.worker.on(alone.scene.env(), leader, Assign{tasks_of(0, 1)});
  alone.worker.on(alone.scene.env(), leader, Assign{tasks_of(0, 1)});
  alone.worker.on(alone.scene.env(), core::WorkDone{.id = {0, 0}, .took = 100ms});
  CHECK(alone.scene.sent<Done>().size() == 1);
  alone.worker.on(alone.scene.env(), leader, Assign{tasks_of(0, 1)});
  CHECK(alone.scene.sent<Done>().size() == 2);
}

TEST_CASE("the later of two orders to follow holds") {
  LoneWorker alone;
  alone.worker.on(alone.scene.env(), leader, Follow{leader, 4});
  CHECK(alone.worker.leader() == leader);
  alone.worker.on(alone.scene.env(), other, Follow{other, 4});
  CHECK(alone.worker.leader() == leader);
  alone.worker.on(alone.scene.env(), other, Follow{me, 9});  // a worker cannot follow itself
  CHECK(alone.worker.leader() == leader);
  alone.worker.on(alone.scene.env(), other, Follow{other, 5});
  CHECK(alone.worker.leader() == other);
}

TEST_CASE("the first worker of a roster succeeds a silent leader first") {
  LoneWorker alone;
  alone.worker.follow(alone.scene.env(), leader, 1, "");
  alone.worker.on(alone.scene.env(), leader,
                  Roster{1, {{PeerId{0}, 1}, {me, 1}, {other, 1}}, {}, 0s});
  alone.scene.pass(alone.options.timeout + alone.options.heartbeat());
  CHECK_FALSE(alone.worker.claim(alone.scene.env()));  // another worker precedes it
  alone.scene.pass(1ms);
  const auto claim = alone.worker.claim(alone.scene.env());
  REQUIRE(claim);
  CHECK(claim->epoch == 2);
  CHECK(claim->members.size() == 2);
}

TEST_CASE("the queue gives the largest job that fits, else the one at its head") {
  const test::World world = test::small_world();
  Options options;
  Scene scene(queue);
  Queue waiting(options, world);
  for (const std::uint32_t job : {0U, 1U, 2U})
    waiting.on(scene.env(), agents::Submitted{job, tasks_of(job, job == 0 ? 9 : job + 2)});
  const auto given_to = [&](PeerId to, std::uint32_t size) {
    const std::size_t before = scene.sent<Portion>().size();
    waiting.on(scene.env(), to, Take{1, size});
    return scene.sent<Portion>().at(before).second.tasks.at(0).id.job;
  };
  CHECK(given_to(leader, 4) == 2);
  CHECK(given_to(other, 2) == 0);
  CHECK(given_to(me, 4) == 1);
}

TEST_CASE("the job of a silent leader is given to the next one, without its completed tasks") {
  const test::World world = test::small_world();
  Options options;
  Scene scene(queue);
  Queue waiting(options, world);
  waiting.on(scene.env(), agents::Submitted{0, tasks_of(0, 2)});
  waiting.on(scene.env(), leader, Take{1, 2});
  waiting.on(scene.env(), leader, Done{{{{0, 0}, other}, {{5, 5}, other}}});
  CHECK(scene.raised<agents::Finished>() == 1);  // the other is unknown
  scene.pass(options.timeout + 1ms);
  waiting.tick(scene.env());
  CHECK(waiting.leaders().empty());
  const std::size_t before = scene.sent<Portion>().size();
  waiting.on(scene.env(), other, Take{1, 2});
  const auto portions = scene.sent<Portion>();
  REQUIRE(portions.size() == before + 1);
  CHECK(portions.back().second.tasks.at(0).id == TaskId{0, 1});
}

TEST_CASE("a leader hands a job to its followers, relays results and asks for the next") {
  const test::World world = test::small_world();
  Options options;
  Scene scene(leader);
  Leader leads(options, world, 1);
  leads.begin(scene.env(), {.epoch = 1, .members = {{me, 1}, {other, 1}}, .present = true});
  REQUIRE(scene.sent<Take>().size() == 1);
  CHECK(scene.sent<Take>()[0].second.size == 2);
  for (std::uint32_t i = 0; i < 2; ++i)
    leads.on(scene.env(), queue, Portion{1, i, 2, {tasks_of(0, 2)[i]}});
  CHECK(scene.sent<Assign>().size() == 2);
  leads.on(scene.env(), me, Done{{{{0, 0}, me}}});
  CHECK(scene.sent<Take>().size() == 1);
  leads.on(scene.env(), other, Done{{{{0, 1}, other}}});
  CHECK(scene.sent<Done>().size() == 2);
  REQUIRE(scene.sent<Take>().size() == 2);
  CHECK(scene.sent<Take>()[1].second.ticket == 2);
}

TEST_CASE(
    "a leader relays a result once, however late it comes again, unless its task is done anew") {
  const test::World world = test::small_world();
  Options options;
  Scene scene(leader);
  Leader leads(options, world, 1);
  leads.begin(scene.env(), {.epoch = 1, .members = {{me, 1}}, .present = true});
  const auto bring = [&](std::uint64_t ticket, std::uint32_t job) {
    leads.on(scene.env(), queue, Portion{ticket, 0, 1, tasks_of(job, 1)});
  };
  const Done result{{{{0, 0}, me}}};
  bring(1, 0);
  leads.on(scene.env(), me, result);
  bring(2, 1);
  leads.on(scene.env(), me, result);  // told again, and longer on its way than the job lasted
  CHECK(scene.sent<Done>().size() == 1);
  leads.on(scene.env(), me, Done{{{{1, 0}, me}}});
  bring(3, 0);  // the queue does not have the result
  leads.on(scene.env(), me, result);
  CHECK(scene.sent<Done>().size() == 3);
}

TEST_CASE("a leader gives nothing to a worker that has not said that it follows") {
  const test::World world = test::small_world();
  Options options;
  Scene scene(leader);
  Leader leads(options, world, 1);
  leads.begin(scene.env(), {.epoch = 1, .members = {{me, 1}}, .present = false});
  leads.on(scene.env(), queue, Portion{1, 0, 1, tasks_of(0, 1)});
  CHECK(scene.sent<Assign>().empty());
  leads.on(scene.env(), me, WorkerAlive{1, 1, {}});
  CHECK(scene.sent<Assign>().size() == 1);
}

}  // namespace rhizome::air_traffic_parts_test
