// Monitors attach to runs that go on, over the exchange, while other threads run them.
#include "scenarios/live/feed.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agents/facts.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/engine/virtual_engine.hpp"
#include "core/peer/latency.hpp"
#include "scenarios/live/state.hpp"
#include "test/support/boards.hpp"
#include "test/support/gossip.hpp"
#include "test/support/stage.hpp"

namespace rhizome::feed_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using test::Monitor, test::Stage;

namespace {

core::EngineSetup gossip(const core::LinkChain& links) {
  core::EngineSetup setup;
  setup.peers = 16;
  setup.links = &links;
  setup.limit = 300ms;
  setup.make_peer = [](core::PeerId id, core::Incarnation incarnation) {
    auto peer = std::make_unique<core::Peer>(id, incarnation, 1);
    peer->add<test::Gossip>(test::GossipOptions{.peers = 16});
    return peer;
  };
  return setup;
}

// The run of that number begins once the latch is open.
core::Observer observer(Feed& feed, std::uint32_t number, std::latch& begin) {
  return {.watch =
              [&feed, &begin, number](const core::Board& board) {
                feed.watch({.number = number, .label = "gossip", .peers = board.peers()}, board);
                begin.wait();
              },
          .unwatch = [&feed, number] { feed.unwatch(number); }};
}

std::uint64_t sent_in(const core::EngineReport& report) {
  std::uint64_t sent = 0;
  for (const core::Recorder& recorder : report.recorders) sent += recorder.sent_count();
  return sent;
}

std::uint64_t sum(const std::array<std::uint64_t, core::message_classes>& sent) {
  return sent[0] + sent[1] + sent[2];
}

}  // namespace

TEST_CASE("a monitor is welcomed, one of another version is told why it is not") {
  Stage stage;
  Monitor monitor(stage);
  monitor.say(Hello{});
  const auto welcome = monitor.hear<Welcome>();
  CHECK(welcome.scenario == "stage");
  CHECK(welcome.runs == 3);
  CHECK(welcome.fact_kinds == fact_kind_names());
  monitor.say(Hello{.version = protocol_version + 1});
  CHECK(monitor.hear<Refused>().reason.find("version") != std::string::npos);
}

TEST_CASE("a monitor that has been greeted is told of an end that comes before it asks") {
  Stage stage;
  Monitor monitor(stage);
  monitor.say(Hello{});
  monitor.hear<Welcome>();
  stage.feed.reset();
  monitor.hear<Over>();
}

TEST_CASE("the next run goes on at the speed of the one before while a monitor is there") {
  Stage stage;
  Monitor monitor(stage);
  test::HandmadeBoard shown(1);
  const auto speed_of_next = [&](std::uint32_t number) {
    const double speed = stage.feed->pace(number, false).speed();
    stage.feed->watch({.number = number, .peers = 1}, shown.board());
    return speed;
  };
  CHECK(speed_of_next(0) == 0);
  stage.feed->pace(0, false).set_speed(2);
  monitor.say(Hello{});
  monitor.hear<Welcome>();
  stage.feed->unwatch(0);
  CHECK(speed_of_next(1) == 2);
  stage.feed->unwatch(1);
}

TEST_CASE("messages of strangers are ignored, and others are answered all the same") {
  Stage stage;
  Monitor stranger(stage);
  stranger.babble({});
  stranger.babble({std::byte{7}, std::byte{1}});
  stranger.babble(core::Bytes(100, std::byte{0xc1}));
  Monitor other(stage);
  other.say(Hello{});
  other.hear<Welcome>();
  stranger.say(Hello{});
  stranger.hear<Welcome>();
  stranger.babble(core::Bytes(request_limits.bytes + 100));  // the feed cuts the stranger off
  CHECK(stranger.hears_nothing(20ms));
  other.say(Hello{});
  other.hear<Welcome>();
}

TEST_CASE("the last frame of a run agrees with its report, on both engines") {
  Stage stage;
  core::LinkChain links;
  links.add<core::ConstantLatency>(1ms);
  for (const std::uint32_t number : {0U, 1U}) {
    CAPTURE(number);
    Monitor monitor(stage);
    Monitor other(stage);
    std::optional<core::EngineReport> report;
    std::latch begin(1);
    std::thread run([&] {
      core::EngineSetup setup = gossip(links);
      if (number == 0)
        report = core::VirtualEngine(setup).run(observer(*stage.feed, number, begin));
      else
        report = core::ThreadEngine(setup, {}).run(observer(*stage.feed, number, begin));
    });
    do CHECK(monitor.follow());
    while (monitor.state().frame().run.number != number);
    begin.count_down();
    while (!monitor.state().frame().over || monitor.state().frame().run.number != number)
      CHECK(monitor.follow());
    run.join();
    CHECK(sum(monitor.state().frame().totals.sent) == sent_in(*report));
    CHECK(monitor.state().frame().totals.events == report->events);
    CHECK(monitor.state().frame().now == report->ended);
    CHECK(other.follow(number));
    CHECK(other.state().rows() == monitor.state().rows());
    CHECK(other.state().frame().totals == monitor.state().frame().totals);
  }
}

TEST_CASE("a frame counts the faults of a run: peers that were struck, partitions and cuts") {
  Stage stage;
  core::Board board(4);
  core::Steering steering;
  stage.feed->watch({.number = 0, .peers = 4}, board,
                    {.partings = {{core::Time{1s}, core::Time{2s}}, {core::Time{9s}, {}}}});
  stage.feed->steer(0, steering);
  Monitor monitor(stage);
  CHECK(monitor.follow());
  CHECK(monitor.state().frame().cost.faults == FaultCounts{});
  for (const auto kind : {core::Fault::Kind::crash, core::Fault::Kind::join}) board.strike(kind);
  board.strike(core::Fault::Kind::crash);
  for (const auto kind : {core::OperatorCommand::Kind::cut_off, core::OperatorCommand::Kind::heal})
    REQUIRE(steering.post({.kind = kind}));
  steering.drain([](core::OperatorCommand&) { return ""; });
  board.pass(core::Time{3s});
  const FaultCounts befallen{.peers = {2, 0, 0, 1}, .partings = 2};
  while (monitor.state().frame().now < core::Time{3s}) CHECK(monitor.follow());
  CHECK(monitor.state().frame().cost.faults == befallen);
  stage.feed->unwatch(0);
  while (!monitor.state().frame().over) CHECK(monitor.follow());
  CHECK(monitor.state().frame().cost.faults == befallen);
  CHECK(monitor.state().frame().cost.by_hand == 2);
}

TEST_CASE("a monitor is told whether the runs may be steered") {
  for (const bool control : {false, true}) {
    Stage stage;
    stage.feed.reset();
    stage.feed.emplace(
        Feed::Options{.endpoint = stage.endpoint, .scenario = "stage", .control = control});
    Monitor monitor(stage);
    monitor.say(Hello{});
    CHECK(monitor.hear<Welcome>().control == control);
  }
}

TEST_CASE("views are collected while a monitor asks for them, and sent to no other") {
  using enum core::ViewKind;
  Stage stage;
  test::HandmadeBoard made(4);
  stage.feed->watch({.number = 0, .peers = 4}, made.board());
  Monitor curious(stage);
  Monitor other(stage);
  CHECK(curious.follow());
  CHECK_FALSE(curious.state().views());
  CHECK(made.board().wanted_views() == nullptr);
  CHECK(curious.follow({}, true));
  REQUIRE(curious.state().views());
  core::Views* shown = made.board().wanted_views();
  REQUIRE(shown != nullptr);
  const std::vector<core::PeerId> view{{0}, {2}};
  shown->of({1}, random).show(view);
  CHECK(curious.follow({}, true));
  CHECK(curious.state().views()->of({1}, random) == view);
  CHECK(other.follow());
  CHECK_FALSE(other.state().views());
  shown->of({1}, random).show({});
  shown->of({3}, similar).show(view);
  CHECK(other.follow({}, true));
  CHECK(curious.follow({}, true));
  CHECK(curious.state().views()->of({1}, random).empty());
  CHECK(curious.state().views()->of({3}, similar) == view);
  CHECK(other.state().views() == curious.state().views());
  CHECK(other.follow());
  CHECK(made.board().wanted_views() != nullptr);
  CHECK(curious.follow());
  CHECK_FALSE(curious.state().views());
  CHECK(made.board().wanted_views() == nullptr);
  stage.feed->unwatch(0);
}

TEST_CASE("a monitor that was stopped gets one frame with all that it has missed") {
  Stage stage;
  test::HandmadeBoard made(4);
  stage.feed->watch({.number = 0, .peers = 4}, made.board());
  Monitor slow(stage);
  Monitor steady(stage);
  CHECK(slow.follow());
  for (std::uint32_t i = 0; i < 20; ++i) {
    made.send(i % 4, core::MessageClass::job);
    made.note(i % 4, agents::TaskStarted{.task = {0, i}});
    CHECK(steady.follow());
  }
  CHECK(slow.follow());
  CHECK(slow.hears_nothing(20ms));
  CHECK(slow.state().rows() == steady.state().rows());
  CHECK(slow.state().facts().size() == 20);
  CHECK(slow.state().missed() == 0);
  stage.feed->unwatch(0);
}

TEST_CASE("a request for a run that is not under way is told so, one for any run waits") {
  Stage stage;
  Monitor monitor(stage);
  monitor.say(Ask{.run = 7});
  CHECK(monitor.hear<Refused>().reason.find("run 8") != std::string::npos);
  monitor.say(Ask{});
  CHECK(monitor.hears_nothing(50ms));
  test::HandmadeBoard made(2);
  stage.feed->watch({.number = 1, .peers = 2}, made.board());
  CHECK(monitor.hear<Frame>().run.number == 1);
  stage.feed->watch({.number = 2, .peers = 2}, made.board());
  CHECK(monitor.follow());
  CHECK(monitor.state().frame().run.number == 2);
  CHECK(monitor.state().frame().under_way == std::vector<std::uint32_t>{1, 2});
  stage.feed->unwatch(2);
  stage.feed->unwatch(1);
}

TEST_CASE("a request for a run that is done again gets the new one as a whole") {
  Stage stage;
  Monitor monitor(stage);
  for (const int messages : {5, 1}) {
    test::HandmadeBoard made(2);
    for (int i = 0; i < messages; ++i) made.send(1, core::MessageClass::job);
    stage.feed->watch({.number = 0, .peers = 2}, made.board());
    CHECK(monitor.follow(0));
    CHECK(monitor.follow(0));
    CHECK(sent_by(monitor.state().rows()[1]) == static_cast<std::uint64_t>(messages));
    stage.feed->unwatch(0);
  }
}

TEST_CASE("a monitor attached at the end is told that it is over, and where the results are") {
  Stage stage;
  stage.feed->kept_in("/somewhere/runs/stage-1");
  test::HandmadeBoard made(2);
  stage.feed->watch({.number = 0, .peers = 2}, made.board());
  Monitor monitor(stage);
  CHECK(monitor.follow());
  monitor.say(monitor.state().next({}, 10));
  made.send(1, core::MessageClass::job);
  stage.feed->unwatch(0);
  Frame last = monitor.hear<Frame>();
  if (!last.over) {  // it was answered before the end
    monitor.say(monitor.state().next({}, 10));
    last = monitor.hear<Frame>();
  }
  stage.feed.reset();
  CHECK(last.over);
  CHECK(last.totals.sent[static_cast<std::size_t>(core::MessageClass::job)] == 1);
  CHECK(monitor.hear<Over>().directory == "/somewhere/runs/stage-1");
}

TEST_CASE("the plan of an experiment, and its runs and how they ended, are told on request") {
  Stage stage;
  test::HandmadeBoard made(2);
  core::Foreseen foreseen{.faults = {{core::Time{3s}, core::PeerId{1}, core::Fault::Kind::crash}},
                          .speeds = {1, 0.5}};
  stage.feed->watch({.number = 1, .label = "gossip", .peers = 2}, made.board(), foreseen);
  stage.feed->conclude({.run = 0, .label = "first", .violations = {"it broke"}});
  Monitor monitor(stage);
  monitor.say(Survey{.run = 1});
  CHECK(monitor.hear<Plan>().foreseen == foreseen);
  monitor.say(RunsRequest{});
  const RunsAnswer runs = monitor.hear<RunsAnswer>();
  REQUIRE(runs.under_way.size() == 1);
  CHECK(runs.under_way[0].run.label == "gossip");
  REQUIRE(runs.ends.size() == 1);
  CHECK(runs.ends[0].violations == std::vector<std::string>{"it broke"});
  monitor.say(RunsRequest{.known_ends = 1});
  CHECK(monitor.hear<RunsAnswer>().ends.empty());
  CHECK(monitor.follow());
  stage.feed->unwatch(1);
  stage.feed.reset();
  CHECK(monitor.hear<Over>().ends.size() == 1);
}

TEST_CASE("the story of a task is told to an attached monitor, also when the run ends meanwhile") {
  Stage stage;
  test::HandmadeBoard made(2);
  for (std::uint32_t i = 0; i < 100'000; ++i) made.note(i % 2, agents::TaskStarted{.task = {0, i}});
  stage.feed->watch({.number = 0, .peers = 2}, made.board());
  Monitor stranger(stage);
  stranger.say(Story{.task = agents::TaskId{0, 1}});
  Monitor monitor(stage);
  CHECK(monitor.follow());
  monitor.say(Story{.number = 3, .task = agents::TaskId{0, 77'777}});
  FoundFacts facts = monitor.hear<FoundFacts>();
  while (!facts.whole) facts = monitor.hear<FoundFacts>();
  CHECK(facts.number == 3);
  CHECK(facts.searched == 100'000);
  REQUIRE(facts.facts.size() == 1);
  CHECK(facts.facts[0].peer == core::PeerId{1});
  CHECK(stranger.hears_nothing(20ms));
  monitor.say(Story{.number = 4, .task = agents::TaskId{0, 5}});
  stage.feed->unwatch(0);
  facts = monitor.hear<FoundFacts>();
  while (!facts.whole && facts.number != 4) facts = monitor.hear<FoundFacts>();
  CHECK(facts.number == 4);
}

}  // namespace rhizome::feed_test
