// A server and its disciplines: the order and the times of service, and its exact accounting.
#include "agents/server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "core/engine/virtual_engine.hpp"
#include "core/peer/env.hpp"
#include "test/support/facts.hpp"
#include "test/support/lone_peer.hpp"

namespace rhizome::server_test {

using namespace std::chrono_literals;
using agents::Discipline;
using agents::ResidentTask;
using agents::Task;
using core::Duration;
using core::Time;

namespace {

// Tasks come at their times, each after the one before.
struct Arrival {
  Duration after;
  Task task;
};
struct Arrives {
  std::size_t number;
};

// A peer that is a server and nothing else.
class Kiosk {
 public:
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Arrives, agents::DivideDue>, agents::WorkFacts>;
  static constexpr std::string_view name = "kiosk";

  // Unfinished work is noted in `seen` before each arrival.
  Kiosk(std::vector<Arrival> arrivals, agents::Capacity capacity, const Discipline& discipline,
        std::vector<Duration>* seen = nullptr)
      : arrivals_(std::move(arrivals)), server_(capacity, discipline), seen_(seen) {}
  void start(Env& env) {
    for (std::size_t i = 0; i < arrivals_.size(); ++i) env.after(arrivals_[i].after, Arrives{i});
  }
  void on(Env& env, const Arrives& due) {
    if (seen_ != nullptr) seen_->push_back(server_.unfinished(env.now()));
    server_.accept(env, arrivals_[due.number].task);
  }
  void on(Env& env, const agents::DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done) { static_cast<void>(server_.finish(env, done)); }
  [[nodiscard]] const agents::Server& server() const { return server_; }

 private:
  std::vector<Arrival> arrivals_;
  agents::Server server_;
  std::vector<Duration>* seen_;
};

const Discipline& named(std::string_view name) {
  return *std::ranges::find(agents::disciplines(), name, &Discipline::name);
}
const Discipline& fcfs = named("fcfs");
const Discipline& sjf = named("sjf");
const Discipline& shallowest_first = named("shallowest-first");
const Discipline& srpt = named("srpt");
const Discipline& ps = named("ps");
const Discipline& las = named("las");

// The service of each task, by its portion, and when it ended.
struct Served {
  Time began{};
  Time ended{};
  Duration service{0};
};
std::map<std::uint32_t, Served> serve(const std::vector<Arrival>& arrivals,
                                      agents::Capacity capacity, const Discipline& discipline,
                                      std::vector<Duration>* seen = nullptr) {
  const core::LinkChain links;
  core::EngineSetup setup;
  setup.peers = 1;
  setup.links = &links;
  setup.make_peer = [&](core::PeerId id, core::Incarnation life) {
    auto peer = std::make_unique<core::Peer>(id, life, 1);
    peer->add<Kiosk>(arrivals, capacity, discipline, seen);
    return peer;
  };
  const core::EngineReport report = core::VirtualEngine(setup).run({});
  CHECK(report.working == 0);
  std::map<std::uint32_t, Served> served;
  for (const test::KeptFact& fact : test::facts_of(report.recorders[0].facts())) {
    if (fact.info == &agents::TaskStarted::info)
      served[fact.as<agents::TaskStarted>().task.portion].began = fact.at;
    if (fact.info != &agents::TaskExecuted::info) continue;
    const auto executed = fact.as<agents::TaskExecuted>();
    served[executed.task.portion].ended = fact.at;
    served[executed.task.portion].service = executed.took;
  }
  return served;
}

Task task(std::uint32_t portion, Duration duration, std::uint32_t cpus = 1) {
  return {.id = {0, portion}, .duration = duration, .cpus = cpus};
}
constexpr Time at(Duration since) { return Time{} + since; }

// A long one, and two that come while it is served.
const std::vector<Arrival> three{{0s, task(0, 10s)}, {1s, task(1, 6s)}, {2s, task(2, 1s)}};

}  // namespace

TEST_CASE("the task of a graph with the shortest chain before it goes first, a single task last") {
  const auto levelled = [](std::uint32_t portion, std::uint32_t level) {
    Task made = task(portion, 1s);
    made.level = level;
    return made;
  };
  auto served = serve({{0s, task(0, 5s)},
                       {1s, task(1, 1s)},
                       {2s, levelled(2, 7)},
                       {3s, levelled(3, 2)},
                       {4s, levelled(4, 2)}},
                      {}, shallowest_first);
  CHECK(served[3].began == at(5s));
  CHECK(served[4].began == at(6s));
  CHECK(served[2].began == at(7s));
  CHECK(served[1].began == at(8s));
}

TEST_CASE("first come, first served") {
  auto served = serve(three, {}, fcfs);
  CHECK(served[0].ended == at(10s));
  CHECK(served[1].ended == at(16s));
  CHECK(served[2].ended == at(17s));
  CHECK(served[2].began == at(16s));
}

TEST_CASE("no task overtakes an earlier one that does not fit yet") {
  auto served =
      serve({{0s, task(0, 10s)}, {1s, task(1, 1s, 2)}, {2s, task(2, 1s)}}, {.slots = 2}, fcfs);
  CHECK(served[1].began == at(10s));
  CHECK(served[2].began == at(11s));
}

TEST_CASE("a task that lacks a named resource waits, though processors are free") {
  agents::Amounts two;
  two.set(1, 2000);
  agents::Amounts one;
  one.set(1, 1000);
  std::vector<Arrival> arrivals;
  for (std::uint32_t i = 0; i < 4; ++i) {
    Task needy = task(i, 10s);
    needy.named = one;
    arrivals.push_back({0s, needy});
  }
  auto served = serve(arrivals, {.slots = 4, .named = two}, fcfs);
  CHECK(served[1].began == at(0s));
  CHECK(served[2].began == at(10s));
  CHECK(served[3].began == at(10s));
}

TEST_CASE("the shortest job goes first, but interrupts no other") {
  auto served = serve(three, {}, sjf);
  CHECK(served[0].ended == at(10s));
  CHECK(served[2].ended == at(11s));
  CHECK(served[1].ended == at(17s));
}

TEST_CASE("the shortest remaining task is served at once, and the interrupted one goes on later") {
  auto served = serve(three, {}, srpt);
  CHECK(served[1].began == at(1s));  // 9 s were left of the first
  CHECK(served[2].ended == at(3s));
  CHECK(served[1].ended == at(8s));
  CHECK(served[0].ended == at(17s));
  CHECK(served[0].service == 10s);
  CHECK(served[1].service == 6s);
}

TEST_CASE("a task that needs as much as another has left does not interrupt it") {
  auto served = serve({{0s, task(0, 3s)}, {1s, task(1, 2s)}}, {}, srpt);
  CHECK(served[0].ended == at(3s));
  CHECK(served[1].began == at(3s));
}

TEST_CASE("processors are shared equally by all tasks that are served") {
  auto served = serve({{0s, task(0, 4s)}, {2s, task(1, 1s)}}, {}, ps);
  CHECK(served[1].began == at(2s));
  CHECK(served[1].ended == at(4s));  // at half the rate
  CHECK(served[0].ended == at(5s));
  CHECK(served[0].service == 4s);
  CHECK(served[1].service == 1s);
}

TEST_CASE("where there are processors for all, sharing slows no task down") {
  auto served = serve({{0s, task(0, 4s)}, {0s, task(1, 3s)}, {1s, task(2, 3s)}}, {.slots = 2}, ps);
  CHECK(served[1].ended > at(3s));
  CHECK(served[0].ended > at(4s));
  const auto alone = serve({{0s, task(0, 4s)}, {0s, task(1, 3s)}}, {.slots = 2}, ps);
  CHECK(alone.at(0).ended == at(4s));
  CHECK(alone.at(1).ended == at(3s));
}

TEST_CASE("service is accounted to the nanosecond however often a task is interrupted") {
  std::vector<Arrival> arrivals{{0s, task(0, 1s)}};
  for (std::uint32_t i = 1; i <= 100; ++i)
    arrivals.push_back({i * 7'777'777ns, task(i, 3'333'333ns)});
  auto served = serve(arrivals, {}, srpt);
  CHECK(served[0].service == 1s);
  CHECK(served[0].ended == at(1s + 100 * 3'333'333ns));
  for (std::uint32_t i = 1; i <= 100; ++i) CHECK(served[i].service == 3'333'333ns);
}

TEST_CASE("work that ends in the moment in which it is interrupted has ended") {
  test::LonePeer<Kiosk> kiosk(core::PeerId{0},
                              std::vector<Arrival>{{0s, task(0, 10s)}, {1s, task(1, 1s)}},
                              agents::Capacity{}, srpt);
  kiosk.start();
  REQUIRE(kiosk.fire_next());
  REQUIRE(kiosk.fire_next());
  REQUIRE(kiosk.complete_next());  // the first, which is interrupted
  REQUIRE(kiosk.complete_next());
  CHECK(test::count_facts<agents::TaskStarted>(kiosk) == 2);
  CHECK(test::count_facts<agents::TaskExecuted>(kiosk) == 2);
  CHECK(kiosk.works().empty());
}

TEST_CASE("a faster peer serves the same task in less time, and the slowest in no endless one") {
  CHECK(serve({{0s, task(0, 4s)}}, {.speed = 2}, fcfs)[0].ended == at(2s));
  CHECK(agents::service_time(task(0, std::chrono::hours(1'000'000)), 1e-9) == agents::longest_time);
}

TEST_CASE("a task that comes twice is served once") {
  auto served = serve({{0s, task(0, 4s)}, {1s, task(0, 4s)}, {2s, task(1, 1s)}}, {}, fcfs);
  CHECK(served[0].ended == at(4s));
  CHECK(served[1].ended == at(5s));
}

TEST_CASE("the least served task has the processor until it has had as much as the next") {
  auto served = serve({{0s, task(0, 10s)}, {4s, task(1, 6s)}}, {}, las);
  CHECK(served[1].began == at(4s));  // alone until 8 s, then both have had 4 s
  CHECK(served[1].ended == at(12s));
  CHECK(served[0].ended == at(16s));
  CHECK(served[0].service == 10s);
  CHECK(served[1].service == 6s);
}

TEST_CASE("a level that catches up shares equally with the one it has reached") {
  auto served = serve({{0s, task(0, 3s)}, {1s, task(1, 2s)}, {2s, task(2, 500ms)}}, {}, las);
  CHECK(served[2].ended == at(2500ms));  // it has had less than both, which have had 1 s each
  CHECK(served[1].ended == at(4500ms));
  CHECK(served[0].ended == at(5500ms));
}

TEST_CASE("every task gets exactly the service that it needs, however processors are divided") {
  for (const Discipline& discipline : agents::disciplines()) {
    CAPTURE(discipline.name);
    std::vector<Arrival> arrivals;
    core::Rng rng = core::Rng::derive({7}, "arrivals");
    Duration after{0};
    Duration sum{0};
    for (std::uint32_t i = 0; i < 400; ++i) {
      after += Duration(rng.between(0, 1'000'000'000));
      const Duration size(rng.chance(0.2) ? rng.between(1, 3'000'000'000)
                                          : rng.between(1, 300'000'000));
      arrivals.push_back({after, task(i, size)});
      sum += size;
    }
    auto served = serve(arrivals, {}, discipline);
    REQUIRE(served.size() == arrivals.size());
    for (std::uint32_t i = 0; i < 400; ++i) {
      const Duration error = served[i].service - arrivals[i].task.duration;
      CHECK(std::max(error, -error) <= 100ns);
    }
  }
}

TEST_CASE("rounding of thirds leaves no share of a processor at a level of three") {
  std::vector<Arrival> arrivals{{0s, task(0, 30s)}};
  for (std::uint32_t i = 1; i <= 49; ++i) arrivals.push_back({10s, task(i, 5s)});
  auto served = serve(arrivals, {}, las);
  CHECK(served[0].service == 30s);
  CHECK(served[0].ended == at(275s));
}

TEST_CASE("on two processors the least served tasks have one each, and the next share the rest") {
  auto served = serve({{0s, task(0, 4s)}, {1s, task(1, 2s)}, {2s, task(2, 1s)}}, {.slots = 2}, las);
  CHECK(served[2].ended == at(3s));
  CHECK(served[1].service == 2s);
  CHECK(served[0].service == 4s);
  CHECK(std::max(served[0].ended, served[1].ended) >= at(4500ms));
}

TEST_CASE("a server orders by estimates, and serves for the true durations") {
  Task told_short = task(0, 10s);
  told_short.estimate = 1s;
  Task told_long = task(1, 1s);
  told_long.estimate = 20s;
  auto served = serve({{0s, told_long}, {500ms, told_short}}, {}, srpt);
  CHECK(served[0].ended == at(10500ms));
  CHECK(served[1].ended == at(11s));
}

TEST_CASE("unfinished work is the estimates of waiting tasks, and the rest of those served") {
  test::LonePeer<Kiosk> kiosk(core::PeerId{0},
                              std::vector<Arrival>{{0s, task(0, 10s)}, {1s, task(1, 6s)}},
                              agents::Capacity{}, fcfs);
  kiosk.start();
  REQUIRE(kiosk.fire_next());
  REQUIRE(kiosk.fire_next());
  CHECK(kiosk.protocol().server().unfinished(at(1s)) == 15s);
  CHECK(kiosk.protocol().server().unfinished(at(4s)) == 12s);
  REQUIRE(kiosk.complete_next());
  CHECK(kiosk.protocol().server().unfinished(kiosk.now()) == 6s);
}

// Rates of thirds and sevenths end no task at a whole nanosecond. A dispatcher compares servers,
// and ties are frequent where tasks are alike.
TEST_CASE("unfinished work of equal shares is exact, however many tasks have ended at roundings") {
  constexpr std::int64_t tasks = 400;
  std::vector<Arrival> arrivals;
  std::vector<Duration> exact;
  Duration work{0};
  for (std::int64_t i = 0; i < tasks; ++i) {
    const Duration arrival(1'000 * i);
    const Duration size(1'100 + (i * i * 31) % 997);  // more than there is time for: never idle
    arrivals.push_back({arrival, task(static_cast<std::uint32_t>(i), size)});
    exact.push_back(work - arrival);
    work += size;
  }
  REQUIRE(std::all_of(exact.begin() + 1, exact.end(),
                      [](Duration left) { return left > Duration::zero(); }));
  for (const Discipline* shared : {&ps, &las, &srpt}) {
    CAPTURE(shared->name);
    std::vector<Duration> seen;
    static_cast<void>(serve(arrivals, {}, *shared, &seen));
    REQUIRE(seen.size() == exact.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      CAPTURE(i);
      CHECK((seen[i] - exact[i]).count() == 0);
    }
  }
}

TEST_CASE("memory is held whole where processors are divided, and a task that lacks it waits") {
  Task large = task(1, 1s);
  large.memory = 0.7;
  Task first = task(0, 2s);
  first.memory = 0.7;
  for (const Discipline* divided : {&ps, &las}) {
    auto served = serve({{0s, first}, {0s, large}, {0s, task(2, 1s)}}, {}, *divided);
    CHECK(served[1].began == served[0].ended);
  }
  auto served = serve({{0s, first}, {0s, task(2, 1s)}}, {}, ps);
  CHECK(served[2].ended == at(2s));
}

}  // namespace rhizome::server_test
