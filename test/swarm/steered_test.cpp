// Runs in virtual time that an operator steers: the outcome records the commands, and the scenario
// made from the outcome gives the same run again.
#include "scenarios/experiment/steered.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/pace.hpp"
#include "core/engine/steering.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::steered_test {

using namespace std::chrono_literals;
using core::Fault;
using core::OperatorCommand;
using core::PeerId;
using scenarios::Outcome;
using Kind = core::OperatorCommand::Kind;

namespace {

const std::string quiet = R"(
peers.count = 30
workload.jobs = 40
engine.kind = "virtual"
engine.log_messages = true
)" + test::schedulers({"organic-grid", "sparrow"});

// With faults of its own, which may find their work done, and lines at which packets wait.
const std::string busy = quiet + R"(
[faults]
crash_share = 0.3
crash_from = "200ms"
crash_until = "2s"
restart_after = "1s"
[[network.partition]]
from = "500ms"
until = "700ms"
share = 0.2
)";

// Holds a run at given moments, and sends commands to it.
class Hand {
 public:
  Hand(const scenarios::Cell& cell, std::size_t scheduler, std::uint32_t repetition)
      : run_(std::async(std::launch::async, [this, &cell, scheduler, repetition] {
          return scenarios::run_once(cell, scheduler, repetition,
                                     {.pace = &pace_, .steering = &steering_}, nullptr);
        })) {}

  void wait_until(core::Duration time) {
    pace_.go_until(core::Time{} + time);
    while (!pace_.held() && run_.wait_for(0s) != std::future_status::ready)
      std::this_thread::sleep_for(1ms);
  }
  core::Steering::Answer does(Kind kind, std::vector<PeerId> peers = {}) {
    const auto number = steering_.post({.kind = kind, .peers = std::move(peers)});
    for (;;) {
      if (auto answer = steering_.answer(number.value())) return *answer;
      std::this_thread::sleep_for(1ms);
    }
  }
  void must(Kind kind, std::vector<PeerId> peers = {}) {
    const core::Steering::Answer answer = does(kind, std::move(peers));
    CAPTURE(answer.reason);
    CHECK(answer.done.has_value());
  }
  Outcome let_go() {
    pace_.go();
    return run_.get();
  }

 private:
  core::Pace pace_{true};
  core::Steering steering_;
  std::future<Outcome> run_;
};

// All that it did, without how it came to that.
Outcome bare(Outcome outcome) {
  outcome.steered = {};
  outcome.wall = {};
  return outcome;
}

Outcome again(std::span<const scenarios::Cell> cells, const Outcome& steered) {
  const std::string text = scenarios::steered_toml(cells, steered);
  CAPTURE(text);
  const auto replay = scenarios::parse_scenario(text, "steered.toml");
  REQUIRE(replay.size() == 1);
  std::vector<Outcome> outcomes;
  CHECK(scenarios::run_experiment(
      replay, {.outcome = [&](Outcome&& outcome) { outcomes.push_back(std::move(outcome)); }}));
  REQUIRE(outcomes.size() == 1);
  return bare(std::move(outcomes.front()));
}

void check_same(const Outcome& steered, const Outcome& replayed) {
  const Outcome one = bare(steered);
  CHECK(one.faults == replayed.faults);
  CHECK(one.cuts == replayed.cuts);
  CHECK(one.facts == replayed.facts);
  CHECK(one.messages == replayed.messages);
  CHECK((one == replayed));
}

bool has_fault(const Outcome& outcome, PeerId peer, Fault::Kind kind) {
  return std::any_of(outcome.faults.begin(), outcome.faults.end(),
                     [&](const Fault& fault) { return fault.peer == peer && fault.kind == kind; });
}

}  // namespace

TEST_CASE("a crash by hand stands in the outcome, and its scenario does the run again") {
  const auto cells = scenarios::parse_scenario(quiet, "test.toml");
  const Outcome alone = scenarios::run_once(cells.front(), 0, 0, {}, nullptr);
  Hand hand(cells.front(), 0, 0);
  hand.wait_until(300ms);
  hand.must(Kind::crash, {PeerId{5}});
  CHECK(hand.does(Kind::crash, {PeerId{5}}).reason == "peer 5 is down already");
  const Outcome steered = hand.let_go();
  CHECK(steered.steered.operator_commands == 1);
  REQUIRE(steered.faults.size() == 1);
  CHECK(steered.faults.front().peer == PeerId{5});
  CHECK(steered.faults.front().at <= core::Time(300ms + 1ns));
  CHECK(steered.facts != alone.facts);
  CHECK_FALSE(steered.peers[5].alive);
  check_same(steered, again(cells, steered));
}

TEST_CASE("whatever is done by hand, before, between and after planned faults, is done again") {
  const auto cells = scenarios::parse_scenario(
      busy, "test.toml", {.command_line = {"network.bandwidth_up=1Mbit/s", "run.repetitions=3"}});
  for (const std::size_t scheduler : {0U, 1U}) {
    CAPTURE(scheduler);
    Hand hand(cells.front(), scheduler, 2);
    hand.must(Kind::crash, {PeerId{7}});  // before the first event
    hand.wait_until(250ms);
    for (std::uint32_t peer = 10; peer < 25; ++peer) hand.does(Kind::crash, {PeerId{peer}});
    hand.wait_until(600ms);
    hand.must(Kind::cut_off, {PeerId{3}, PeerId{4}, PeerId{7}});
    hand.must(Kind::restart, {PeerId{7}});
    hand.wait_until(800ms);
    hand.must(Kind::heal);
    hand.does(Kind::leave, {PeerId{8}});
    hand.wait_until(900ms);
    for (std::uint32_t peer = 10; peer < 20; ++peer) hand.does(Kind::restart, {PeerId{peer}});
    hand.must(Kind::cut_off, {PeerId{3}});
    const Outcome steered = hand.let_go();
    CHECK(has_fault(steered, PeerId{7}, Fault::Kind::restart));
    CHECK(steered.identity.repetition == 2);
    CHECK(steered.cuts.size() == 3);
    check_same(steered, again(cells, steered));
  }
}

TEST_CASE("schedulers that take precautions where messages are lost do the same again, too") {
  const auto cells = scenarios::parse_scenario(
      quiet + test::schedulers({"dispatcher", "master-worker", "coordinator"}), "test.toml",
      {.command_line = {scenarios::expects_faults},
       .schedulers = {"dispatcher", "master-worker", "coordinator"}});
  for (const std::size_t scheduler : {0U, 1U, 2U}) {
    CAPTURE(scheduler);
    Hand hand(cells.front(), scheduler, 0);
    hand.wait_until(300ms);
    hand.must(Kind::crash, {PeerId{5}});
    hand.must(Kind::cut_off, {PeerId{6}});
    hand.wait_until(900ms);
    hand.must(Kind::heal);
    const Outcome steered = hand.let_go();
    CHECK(steered.ending == core::Ending::finished);
    CHECK(steered.violations.empty());
    check_same(steered, again(cells, steered));
  }
}

TEST_CASE("a run of a sweep is done again as the cell that it is of") {
  const auto cells =
      scenarios::parse_scenario(quiet, "test.toml", {.command_line = {"workload.jobs=[30,50]"}});
  REQUIRE(cells.size() == 2);
  Hand hand(cells.back(), 0, 0);
  hand.wait_until(200ms);
  hand.must(Kind::leave, {PeerId{5}});
  Outcome steered = hand.let_go();
  Outcome replayed = again(cells, steered);
  steered.identity.cell.clear();
  check_same(steered, replayed);
}

TEST_CASE(
    "runs that are broken off are told apart from outcomes, as they were steered until then") {
  const auto cells = scenarios::parse_scenario(
      quiet, "test.toml", {.command_line = {"run.repetitions=3", "engine.at_once=3"}});
  std::atomic<bool> stop{false};
  std::array<core::Pace, 6> paces;  // they hold all runs at one time
  std::vector<Outcome> broken_off;
  std::size_t outcomes = 0;
  scenarios::RunHooks hooks;
  hooks.pace = [&](const scenarios::RunUnderWay& run) { return &paces[run.number]; };
  hooks.steer = [&](const scenarios::RunUnderWay& run, core::Steering& steering) {
    paces[run.number].go_until(core::Time{200ms});
    if (run.number == 1) REQUIRE(steering.post({.kind = Kind::crash, .peers = {PeerId{5}}}));
  };
  std::thread interrupt([&] {
    while (!paces[1].held() || !paces[0].held()) std::this_thread::sleep_for(1ms);
    stop = true;
  });
  CHECK_FALSE(scenarios::run_experiment(
      cells,
      {.outcome = [&](Outcome&&) { ++outcomes; },
       .broken_off = [&](const Outcome& outcome) { broken_off.push_back(outcome); },
       .runs = hooks},
      {.stop = &stop}));
  interrupt.join();
  CHECK(outcomes == 0);
  REQUIRE(broken_off.size() >= 2);
  CHECK(broken_off[0].steered.operator_commands == 0);
  CHECK(broken_off[1].steered.operator_commands == 1);
  CHECK(broken_off[1].ending == core::Ending::interrupted);
  const auto replay =
      scenarios::parse_scenario(scenarios::steered_toml(cells, broken_off[1]), "steered.toml");
  CHECK(has_fault(scenarios::run_once(replay.front(), 0, 0, {}, nullptr), PeerId{5},
                  Fault::Kind::crash));
}

TEST_CASE("a run that may be steered and is not gives the same outcome as any other") {
  const auto cells = scenarios::parse_scenario(quiet, "test.toml");
  Hand hand(cells.front(), 1, 0);
  hand.wait_until(100ms);
  CHECK(hand.does(Kind::heal).reason == "no peer is cut off by hand");
  CHECK(hand.does(Kind::crash, {PeerId{30}}).reason ==
        "there is no peer 30: they count from 0 to 29");
  const Outcome held = hand.let_go();
  CHECK(held.steered == scenarios::Steered{});
  CHECK((bare(held) == bare(scenarios::run_once(cells.front(), 1, 0, {}, nullptr))));
}

}  // namespace rhizome::steered_test
