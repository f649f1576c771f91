// Runs on threads that are recorded, and done again in virtual time: the same, or a difference is
// told.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "agents/work/kinds.hpp"
#include "core/engine/replay_engine.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/history/history_writer.hpp"
#include "core/history/track_reader.hpp"
#include "core/peer/impairment.hpp"
#include "core/peer/latency.hpp"
#include "scenarios/experiment/recorded_run.hpp"
#include "scenarios/outcome/fact_watch.hpp"
#include "test/support/experiments.hpp"
#include "test/support/facts.hpp"
#include "test/support/gossip.hpp"
#include "test/support/protocols.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/toiler.hpp"
#include "test/support/works.hpp"

namespace rhizome::replay_test {

namespace {

using namespace std::chrono_literals;
using core::PeerId;
using core::Time;

template <class P, class... A>
core::EngineSetup setup_of(std::uint32_t peers, const core::LinkChain& links, A... arguments) {
  core::EngineSetup setup;
  setup.peers = peers;
  setup.links = &links;
  setup.limit = 20s;
  setup.make_peer = [arguments...](PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 7);
    peer->add<P>(arguments...);
    return peer;
  };
  return setup;
}

// A run on threads, and the history that was written of it.
class Recorded {
 public:
  explicit Recorded(const core::EngineSetup& setup, double time_scale = 1) {
    const auto file = directory_.path() / "one.history";
    const auto writer =
        std::make_shared<core::HistoryWriter>(file, core::HistoryHeading{.peers = setup.peers});
    core::ThreadEngine engine(setup, {.time_scale = time_scale, .history = writer});
    try {
      report = engine.run({});
    } catch (const std::exception& error) {
      failure = error.what();
    }
    REQUIRE(writer->failure().empty());
    history = core::read_history(file);
  }

  core::EngineReport report;
  std::string failure;
  core::History history;

 private:
  test::TemporaryDirectory directory_;
};

void check_same(const core::Recorder& was, const core::Recorder& is) {
  const auto before = test::facts_of(was.facts());
  const auto now = test::facts_of(is.facts());
  REQUIRE(before.size() == now.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(before[i].at == now[i].at);
    CHECK(before[i].info == now[i].info);
    CHECK(before[i].payload == now[i].payload);
  }
  CHECK(std::vector(was.burdens().rows().begin(), was.burdens().rows().end()) ==
        std::vector(is.burdens().rows().begin(), is.burdens().rows().end()));
  CHECK(was.drop_counts() == is.drop_counts());
  CHECK(was.received_count() == is.received_count());
  CHECK(was.duplicated_count() == is.duplicated_count());
  CHECK(was.in_flight_count() == is.in_flight_count());
}

void check_same(const core::EngineReport& was, const core::EngineReport& is) {
  CHECK(was.ending == is.ending);
  CHECK(was.ended == is.ended);
  CHECK(was.events == is.events);
  CHECK(was.alive == is.alive);
  CHECK(was.finished == is.finished);
  CHECK(was.incarnations == is.incarnations);
  CHECK(was.armed == is.armed);
  CHECK(was.working == is.working);
  CHECK(was.fidelity.packet_lag.count() == is.fidelity.packet_lag.count());
  REQUIRE(was.recorders.size() == is.recorders.size());
  for (std::size_t i = 0; i < was.recorders.size(); ++i) {
    CAPTURE(i);
    check_same(was.recorders[i], is.recorders[i]);
  }
}

std::string divergence_of(const core::EngineSetup& setup, const core::History& history) {
  try {
    static_cast<void>(core::ReplayEngine(setup, history).run({}));
  } catch (const core::Divergence& divergence) {
    return divergence.what();
  }
  return "";
}

// Notes a number each millisecond, and throws at the tenth.
struct Beat {};
struct Fragile {
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Beat>, core::OneOf<test::Hit>>;
  static constexpr std::string_view name = "fragile";
  std::uint32_t beats = 0;
  void start(Env& env) { env.after(1ms, Beat{}); }
  void on(Env& env, const Beat&) {
    if (++beats == 10) throw std::logic_error("the tenth beat");
    env.note(test::Hit{beats, env.self()});
    env.after(1ms, Beat{});
  }
};

}  // namespace

TEST_CASE("a recorded run replays to the same facts at the same times") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const core::EngineSetup setup = setup_of<test::PingPong>(2, links, 50U);
  const Recorded run(setup);
  core::ReplayEngine engine(setup, run.history);
  check_same(run.report, engine.run({}));
  CHECK(engine.whole());
}

TEST_CASE("real work is not done again: its result and its time are of the record") {
  const core::LinkChain links;
  core::EngineSetup setup = setup_of<test::Routine>(2, links, test::matrix_work(40));
  setup.kinds = agents::work_kinds();
  const Recorded run(setup);
  REQUIRE(run.report.events == 4);
  setup.kinds = {};  // with which nothing can be computed
  core::ReplayEngine engine(setup, run.history);
  check_same(run.report, engine.run({}));
}

TEST_CASE("packets that are lost, doubled, late, stale or still under way replay") {
  core::LinkChain links;
  links.add<core::Loss>(0.01);
  links.add<core::Duplication>(0.05);
  links.add<core::ConstantLatency>(2ms);
  core::EngineSetup setup = setup_of<test::Gossip>(10, links, test::GossipOptions{.peers = 10});
  setup.duration = 400ms;
  setup.seed = 3;
  for (std::uint32_t i = 0; i < 4; ++i) {
    setup.faults.push_back({Time{40ms + i * 20ms}, PeerId{i}, core::Fault::Kind::crash});
    setup.faults.push_back({Time{60ms + i * 30ms}, PeerId{i}, core::Fault::Kind::restart});
  }
  setup.faults.push_back({Time{70ms}, PeerId{9}, core::Fault::Kind::leave});
  const Recorded run(setup);
  CHECK(run.report.ending == core::Ending::open);
  CHECK(run.report.events > 50);
  core::ReplayEngine engine(setup, run.history);
  check_same(run.report, engine.run({}));
}

TEST_CASE("packets that wait at lines replay") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  core::EngineSetup setup = setup_of<test::Gossip>(6, links, test::GossipOptions{.peers = 6});
  setup.access.assign(6, {.up = 200'000, .down = 150'000});
  setup.duration = 300ms;
  setup.faults = {{Time{100ms}, PeerId{2}, core::Fault::Kind::crash},
                  {Time{130ms}, PeerId{2}, core::Fault::Kind::restart}};
  const Recorded run(setup);
  CHECK(run.report.events > 8);
  core::ReplayEngine engine(setup, run.history);
  check_same(run.report, engine.run({}));
}

TEST_CASE("work at processors that peers share ends as it did") {
  const auto toils = std::make_shared<test::Toils>();
  const core::EngineSetup setup = test::crowded(toils);
  const Recorded run(setup, 5);
  const auto before = toils->of;
  toils->of.clear();
  core::ReplayEngine engine(setup, run.history);
  check_same(run.report, engine.run({}));
  REQUIRE(toils->of.size() == before.size());
  for (const auto& [peer, toil] : before) CHECK(toils->of.at(peer).ended == toil.ended);
}

TEST_CASE("peers that do something else than was recorded are told with time, peer and event") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const Recorded run(setup_of<test::PingPong>(2, links, 20U));
  const std::string less = divergence_of(setup_of<test::PingPong>(2, links, 10U), run.history);
  CHECK(less.starts_with("the replay differs from the record at 0."));
  CHECK(less.find(" s, at peer ") != std::string::npos);
  CHECK(less.find("packet ") != std::string::npos);
  CHECK(less.find("the peer does something else") != std::string::npos);
  CHECK(divergence_of(setup_of<test::PingPong>(3, links, 20U), run.history) ==
        "the record is of 2 peers, and the scenario has 3");
}

TEST_CASE("a packet that the replay loses is missed at once") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const Recorded run(setup_of<test::PingPong>(2, links, 20U));
  core::LinkChain lossy;
  lossy.add<core::Loss>(1.0);
  const std::string told = divergence_of(setup_of<test::PingPong>(2, lossy, 20U), run.history);
  CHECK(told.find("at peer 1: packet 0 of peer 0: it has not been sent by then") !=
        std::string::npos);
}

TEST_CASE("a record whose effects were changed is not replayed in silence") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const core::EngineSetup setup = setup_of<test::PingPong>(2, links, 20U);
  Recorded run(setup);
  core::Bytes& track = run.history.tracks[0];
  track.back() ^= std::byte{1};
  CHECK(divergence_of(setup, run.history).find("at peer 0") != std::string::npos);
}

TEST_CASE("a replay stops behind a time or a fact, and its peers can be looked at") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const core::EngineSetup setup = setup_of<test::PingPong>(2, links, 20U);
  const Recorded run(setup);
  core::ReplayEngine engine(setup, run.history,
                            {.at = [](PeerId, Time, const core::EncodedFact& fact) {
                              test::Hit hit{};
                              REQUIRE(core::decode(fact.payload, hit) == core::DecodeError::none);
                              return hit.hits == 7;
                            }});
  static_cast<void>(engine.run({}));
  CHECK(!engine.whole());
  CHECK(engine.last() == PeerId{1});
  CHECK(test::facts_of(run.report.recorders[1].facts())[3].at == engine.now());
  CHECK(engine.peer(PeerId{1}) != nullptr);

  core::ReplayEngine early(setup, run.history, {.until = engine.now() - 1ns});
  static_cast<void>(early.run({}));
  CHECK(early.now() < engine.now());
  CHECK(early.events() < engine.events());
  core::ReplayEngine just(setup, run.history, {.until = engine.now()});
  static_cast<void>(just.run({}));
  CHECK(just.now() == engine.now());
}

TEST_CASE("a run that a peer's mistake ended fails again in its replay") {
  const core::LinkChain links;
  const core::EngineSetup setup = setup_of<Fragile>(2, links);
  const Recorded run(setup);
  CHECK(run.failure == "the tenth beat");
  CHECK(run.history.end.failure == "the tenth beat");
  core::ReplayEngine engine(setup, run.history);
  CHECK_THROWS_WITH_AS(static_cast<void>(engine.run({})), "the tenth beat", std::logic_error);
}

TEST_CASE("a damaged track is refused, whatever is in it") {
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  const core::EngineSetup setup = setup_of<test::PingPong>(2, links, 20U);
  const Recorded run(setup);
  core::Rng rng(1);
  std::size_t refused = 0;
  for (int i = 0; i < 500; ++i) {
    core::History damaged = run.history;
    core::Bytes& track = damaged.tracks[rng.below(2)];
    track[rng.below(track.size())] = static_cast<std::byte>(rng.below(256));
    try {
      static_cast<void>(core::ReplayEngine(setup, damaged).run({}));
    } catch (const core::DamagedTrack&) {
      ++refused;
    } catch (const core::Divergence&) {
      ++refused;
    }
  }
  CHECK(refused > 300);  // others change a time by little, or nothing at all
}

TEST_CASE(
    "recorded runs of schedulers that survive crashes replay to the same outcome under churn and "
    "loss") {
  const std::string text = R"(
name = "recorded"
peers.count = 20
workload.jobs = 12
workload.portion_time = "30ms"
network.latency = "constant"
network.delay = "1ms"
network.loss = 0.01
network.duplication = 0.01
engine.kind = "threads"
engine.time_limit = "6s"
engine.grace = "2s"
[[faults.mass]]
at = "300ms"
share = 0.2
restart_after = "300ms"
)" + test::schedulers({"organic-grid", "air-traffic", "hybrid", "vector", "sparrow"});
  const auto cells = scenarios::parse_scenario(text, "test.toml", {});
  const auto smaller =
      scenarios::parse_scenario(text, "test.toml", {.command_line = {"peers.count=19"}});
  const test::TemporaryDirectory directory;
  const scenarios::RecordingTarget recording{.folder =
                                                 directory.path() / scenarios::histories_name};
  std::vector<scenarios::Outcome> outcomes;
  for (std::size_t scheduler = 0; scheduler < cells.front().scenario.schedulers.size(); ++scheduler)
    outcomes.push_back(
        scenarios::run_once(cells.front(), scheduler, 0, {}, nullptr, {}, recording));
  const auto runs = scenarios::recorded_runs(directory.path());
  REQUIRE(runs.size() == outcomes.size());
  for (const scenarios::RecordedRun& run : runs) {
    CAPTURE(run.heading.scheduler);
    const core::Observer no_observer;
    scenarios::ReplayedRun replayed(cells.front(), run.file, {}, no_observer);
    replayed.run();
    CHECK_THROWS_AS(scenarios::ReplayedRun(smaller.front(), run.file, {}, no_observer),
                    scenarios::UnreadableFile);
    REQUIRE(replayed.engine().whole());
    const scenarios::Outcome again = replayed.outcome();
    const auto was = std::find_if(
        outcomes.begin(), outcomes.end(),
        [&](const scenarios::Outcome& one) { return one.identity.label == run.heading.scheduler; });
    REQUIRE(was != outcomes.end());
    CHECK(was->events > 100);
    CHECK(scenarios::first_difference(*was, again).value_or("") == "");
  }
}

}  // namespace rhizome::replay_test
