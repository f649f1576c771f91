// One experiment as several shares, each with an engine of its own, has the result of one.
#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>

#include "scenarios/outcome/facts.hpp"
#include "test/support/engines.hpp"
#include "test/support/experiments.hpp"
#include "test/support/facts.hpp"
#include "test/support/gossip.hpp"
#include "test/support/protocols.hpp"
#include "test/support/shares.hpp"

namespace rhizome::shares_test {

using namespace std::chrono_literals;
using core::EngineReport;
using core::EngineSetup;
using core::Placement;
using scenarios::Outcome;
using test::metric;
using test::setup_of;
using test::total;

namespace {

void check_conserved(const EngineReport& report) {
  CHECK(total(report, &core::Recorder::sent_count) > 0);
  CHECK(total(report, &core::Recorder::sent_count) +
            total(report, &core::Recorder::duplicated_count) ==
        total(report, &core::Recorder::received_count) +
            total(report, &core::Recorder::dropped_count) +
            total(report, &core::Recorder::in_flight_count));
}

EngineSetup gossip(std::uint32_t peers) {
  return setup_of(peers, 300ms, [peers](core::Peer& peer) {
    peer.add<test::Gossip>(test::GossipOptions{.peers = peers});
  });
}

const core::FactTypes tiny_facts =
    core::fact_types(static_cast<const core::OneOf<test::Hit, test::Ended, test::Got>*>(nullptr));

// Says hello with every life; the other peer answers at once.
struct Answer {
  static constexpr core::MessageInfo info{"answer", core::MessageClass::information,
                                          core::Cause::probe};
};
struct Reborn {
  using Messages = core::OneOf<test::Hello, Answer>;
  using Env = core::Env<Messages, core::Nothing, core::OneOf<test::Ended>>;
  static constexpr std::string_view name = "reborn";
  void start(Env& env) {
    if (env.self().value != 0) env.send(core::PeerId{0}, test::Hello{});
  }
  void on(Env& env, core::PeerId from, const test::Hello&) { env.send(from, Answer{}); }
  void on(Env& env, core::PeerId, const Answer&) {
    if (env.incarnation().value > 0) env.note(test::Ended{});
  }
};

struct Unhappy {
  using Messages = core::OneOf<test::Ball>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "unhappy";
  void start(Env& env) {
    if (env.self().value == 3) throw std::logic_error("peer 3 is unhappy");
  }
  void on(Env&, core::PeerId, const test::Ball&) {}
};

// The outcome of a scenario in shares, with delayed letters and packets.
Outcome run_shared(const std::string& text, const Placement& placement,
                   std::uint32_t repetition = 0, std::size_t scheduler = 0) {
  const auto cells = scenarios::parse_scenario(text, "test.toml", {});
  const double scale = cells.front().scenario.engine.time_scale;
  return scenarios::run_once(
      cells.front(), scheduler, repetition, {}, nullptr,
      [&](const agents::World&, const EngineSetup& setup, const core::Observer&) {
        return test::run_in_shares(
            setup, placement, core::fact_types(static_cast<const scenarios::KnownFacts*>(nullptr)),
            {.threads = {.time_scale = scale}});
      });
}

// Compares the parts that must not depend on shares: the tasks, the jobs, the peers and their
// capacities.
void check_same_work(const Outcome& shared, const Outcome& whole) {
  test::check_sound(shared);
  CHECK(shared.ending == whole.ending);
  CHECK(metric(shared, "completed") == metric(whole, "completed"));
  REQUIRE(shared.tasks.size() == whole.tasks.size());
  for (std::size_t i = 0; i < shared.tasks.size(); ++i) {
    CHECK(shared.tasks[i].id == whole.tasks[i].id);
    CHECK(shared.tasks[i].completed == whole.tasks[i].completed);
    CHECK(shared.tasks[i].completions == whole.tasks[i].completions);
  }
  REQUIRE(shared.jobs.size() == whole.jobs.size());
  for (std::size_t i = 0; i < shared.jobs.size(); ++i)
    CHECK(shared.jobs[i].completed == whole.jobs[i].completed);
  REQUIRE(shared.peers.size() == whole.peers.size());
  for (std::size_t i = 0; i < shared.peers.size(); ++i) {
    CHECK(shared.peers[i].id == whole.peers[i].id);
    CHECK(shared.peers[i].speed == whole.peers[i].speed);
    CHECK(shared.peers[i].restarts == whole.peers[i].restarts);
    CHECK(shared.peers[i].alive == whole.peers[i].alive);
  }
}

const std::string grid = R"(
peers.count = 24
workload.jobs = 20
workload.portion_time = "50ms"
network.latency = "constant"
network.delay = "2ms"
engine.kind = "threads"
engine.time_limit = "60s"
engine.grace = "20s"
)" + test::schedulers({"organic-grid", "air-traffic"});

// Peers 3 and 22 are of different halves, and neither is the source.
const std::string sparrow = R"(
peers.count = 30
peers.slots = 2
workload.jobs = 60
workload.portions = 1
workload.portion_time = "500ms"
workload.spacing = "50ms"
workload.start = "1s"
network.latency = "constant"
network.delay = "10ms"
engine.kind = "threads"
engine.time_scale = 2
engine.time_limit = "90s"
engine.grace = "30s"
[[faults.event]]
at = "2s"
peer = 3
kind = "crash"
[[faults.event]]
at = "2500ms"
peer = 22
kind = "crash"
[[faults.event]]
at = "3s"
peer = 3
kind = "restart"
[[faults.event]]
at = "3500ms"
peer = 22
kind = "restart"
[[scheduler]]
use = "sparrow"
self_assign = true
max_hops = 5
view = "gradient"
detector_round = "1s"
)";

const std::vector<std::uint32_t> even{1, 1};

}  // namespace

TEST_CASE(
    "the comparison of Organic Grid and Air Traffic Control is the same in two shares as in one") {
  for (const std::size_t scheduler : {0U, 1U}) {
    CAPTURE(scheduler);
    const Outcome whole = test::run_scenario(grid, 0, scheduler);
    for (const Placement& placement :
         {Placement::blocks(24, even), Placement::round_robin(24, 2)}) {
      const Outcome shared = run_shared(grid, placement, 0, scheduler);
      check_same_work(shared, whole);
      CHECK(metric(shared, "completed") == 20 * 18);
      if (!test::unspoilt(shared) || !test::unspoilt(whole)) continue;
      // How many results travel together depends on timing. Each result arrives exactly once all
      // the same, since no time-out is short enough to end on a busy machine.
      CHECK(metric(shared, "result_arrivals") == 1);
      CHECK(metric(whole, "result_arrivals") == 1);
      CHECK(metric(shared, "makespan") == doctest::Approx(metric(whole, "makespan")).epsilon(0.15));
    }
  }
}

TEST_CASE("Sparrow loses no task when peers of both shares crash and restart") {
  const Outcome whole = test::run_scenario(sparrow);
  const Outcome shared = run_shared(sparrow, Placement::blocks(30, even));
  check_same_work(shared, whole);
  CHECK(metric(shared, "completed") == 60);
  CHECK(shared.peers[3].restarts == 1);
  CHECK(shared.peers[22].restarts == 1);
}

TEST_CASE("packets between shares are conserved while peers crash, however long they cross") {
  const std::vector<std::uint32_t> weights{2, 0, 1, 1};  // one of them runs no peer
  for (const auto crossing : {0us, 20'000us}) {
    CAPTURE(crossing.count());
    EngineSetup setup = gossip(24);
    for (std::uint32_t i = 0; i < 12; ++i) {
      const core::Time at = core::Time{} + (i + 1) * 15ms;
      setup.faults.push_back({at, core::PeerId{2 * i}, core::Fault::Kind::crash});
      setup.faults.push_back({at + 50ms, core::PeerId{2 * i}, core::Fault::Kind::restart});
    }
    const EngineReport report = test::run_in_shares(setup, Placement::blocks(24, weights),
                                                    tiny_facts, {.crossing = crossing});
    CHECK(report.ending == core::Ending::limit);
    CHECK(report.recorders.size() == 24);
    check_conserved(report);
    if (crossing > 0us) CHECK(total(report, &core::Recorder::in_flight_count) > 0);
    CHECK(report.incarnations[4].value == 1);
  }
}

TEST_CASE(
    "a peer that hears from a new life in another share answers that life, and no former one") {
  EngineSetup setup = setup_of(9, 600ms, [](core::Peer& peer) { peer.add<Reborn>(); });
  for (std::uint32_t i = 1; i < 9; ++i) {
    setup.faults.push_back({core::Time{100ms}, core::PeerId{i}, core::Fault::Kind::crash});
    setup.faults.push_back({core::Time{150ms}, core::PeerId{i}, core::Fault::Kind::restart});
  }
  const EngineReport report =
      test::run_in_shares(setup, Placement::round_robin(9, 3), tiny_facts, {.crossing = 5ms});
  for (std::uint32_t i = 1; i < 9; ++i)
    CHECK(test::only<test::Ended>(test::facts_of(report.recorders[i].facts())).size() == 1);
}

TEST_CASE("a peer that is called from another share is waited for") {
  const EngineReport report =
      test::run_in_shares(setup_of(2, 20s, [](core::Peer& peer) { peer.add<test::Sleeper>(); }),
                          Placement::round_robin(2, 2), tiny_facts);
  CHECK(report.ending == core::Ending::finished);
  CHECK(report.recorders[1].facts().size() == 1);
}

TEST_CASE("a failure in one share ends all, and says where it was") {
  test::Shares shares(setup_of(6, 20s, [](core::Peer& peer) { peer.add<Unhappy>(); }),
                      Placement::round_robin(6, 2));
  const auto results = shares.run();
  CHECK_THROWS_WITH_AS(std::rethrow_exception(results[1].error), "peer 3 is unhappy",
                       std::logic_error);
  CHECK_THROWS_WITH_AS(std::rethrow_exception(results[0].error),
                       "share 1 has failed: peer 3 is unhappy", core::ShareFailed);
}

TEST_CASE("a peer that cannot be built keeps all shares from beginning") {
  EngineSetup setup = gossip(6);
  setup.make_peer = [make = setup.make_peer](core::PeerId id, core::Incarnation life) {
    if (id.value == 5) throw std::runtime_error("peer 5 has no place");
    return make(id, life);
  };
  test::Shares shares(setup, Placement::round_robin(6, 3));
  const auto results = shares.run();
  CHECK_THROWS_WITH_AS(std::rethrow_exception(results[2].error), "peer 5 has no place",
                       std::runtime_error);
  for (const std::size_t other : {0U, 1U})
    CHECK_THROWS_WITH_AS(std::rethrow_exception(results[other].error),
                         "share 2 has failed: peer 5 has no place", core::ShareFailed);
}

TEST_CASE("whichever share is asked to stop, all stop at the same time") {
  const std::atomic<bool> stop{true};
  for (const std::size_t asked : {0U, 1U}) {
    std::vector<const std::atomic<bool>*> stops(2);
    stops[asked] = &stop;
    EngineSetup setup = gossip(6);
    setup.limit = 1h;
    test::Shares shares(setup, Placement::round_robin(6, 2));
    std::set<core::Time> ended;
    for (const auto& result : shares.run(stops)) {
      REQUIRE(result.part);
      CHECK(result.part->report.ending == core::Ending::interrupted);
      ended.insert(result.part->report.ended);
    }
    CHECK(ended.size() == 1);
  }
}

TEST_CASE("a run reports how far its clocks may differ, and how late packets between shares were") {
  core::ThreadOptions threads;
  threads.time_scale = 2;
  const core::Fidelity fidelity =
      test::run_in_shares(gossip(30), Placement::round_robin(30, 3), tiny_facts,
                          {.threads = threads, .clock_bound = 10s})
          .fidelity;
  CHECK(fidelity.clock_doubt == 40s);  // of two shares, and emulated
  CHECK(fidelity.crossing_lag.count() > 0);
  CHECK(fidelity.crossing_lag.count() < fidelity.packet_lag.count());
}

}  // namespace rhizome::shares_test
