// Finished runs as recordings: at each time they show what the facts of their outcome tell.
#include "scenarios/live/seen/reenactment.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "scenarios/live/seen/recording.hpp"
#include "scenarios/live/state.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::reenactment_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;
using core::Time;

namespace {

// Three peers in ten seconds: #1 and #2 join #0, #2 crashes at 4 s and is back at 6 s; #1 executes
// task 0.0 from 2 s to 3 s.
scenarios::Outcome small_outcome() {
  scenarios::Outcome outcome;
  outcome.identity.label = "grid";
  outcome.identity.engine = "virtual";
  outcome.ended = Time{10s};
  outcome.peers.resize(3);
  outcome.tasks.resize(1);
  outcome.faults = {{Time{4s}, PeerId{2}, core::Fault::Kind::crash},
                    {Time{6s}, PeerId{2}, core::Fault::Kind::restart}};
  outcome.samples = {{Time{0s}, {100, 10, 20}}, {Time{5s}, {50, 0, 0}}};
  scenarios::Facts& facts = outcome.facts;
  const agents::TaskId task{0, 0};
  facts.add(scenarios::FactPlace{Time{1s}, PeerId{1}}, agents::ParentChanged{{0}, {0}, {}, "join"});
  facts.add(scenarios::FactPlace{Time{1500ms}, PeerId{2}},
            agents::ParentChanged{{0}, {1}, {}, "join"});
  facts.add(scenarios::FactPlace{Time{0s}, PeerId{0}}, agents::TaskSubmitted{task, 1s});
  facts.add(scenarios::FactPlace{Time{2s}, PeerId{1}}, agents::TaskStarted{task});
  facts.add(scenarios::FactPlace{Time{3s}, PeerId{1}}, agents::TaskExecuted{task, 1s});
  facts.add(scenarios::FactPlace{Time{3500ms}, PeerId{0}}, agents::TaskCompleted{task, PeerId{1}});
  facts.sort();
  return outcome;
}

struct Played {
  test::TemporaryDirectory directory;
  std::filesystem::path file = directory.path() / "played";

  explicit Played(const scenarios::Outcome& outcome, const ReenactmentOptions& options = {}) {
    REQUIRE(reenact(outcome, file, options));
  }
  // The state at that time.
  [[nodiscard]] State at(core::Duration time) const {
    Recording recording(file);
    State state;
    while (const auto told = recording.next()) {
      const auto* frame = std::get_if<Frame>(&told->answer);
      if (frame == nullptr || told->whole) continue;
      if (frame->now > Time{time}) break;
      CHECK(state.apply(*frame));
    }
    return state;
  }
};

}  // namespace

TEST_CASE("a finished run is played with its tree as it was at each time") {
  const Played played(small_outcome());
  CHECK(above_of(played.at(500ms).rows()[1]) == core::no_peer);
  CHECK(above_of(played.at(1200ms).rows()[1]) == PeerId{0});
  CHECK(above_of(played.at(3s).rows()[2]) == PeerId{1});
  CHECK(above_of(played.at(5s).rows()[2]) == core::no_peer);  // a crashed peer has lost its place
}

TEST_CASE("a finished run is played with its faults and lives") {
  const Played played(small_outcome());
  CHECK(is_alive(played.at(3s).rows()[2]));
  CHECK_FALSE(is_alive(played.at(5s).rows()[2]));
  CHECK(played.at(5s).frame().totals.alive == 2);
  CHECK(is_alive(played.at(7s).rows()[2]));
  CHECK(life_of(played.at(7s).rows()[2]).value == 1);
}

TEST_CASE("faults that found something to do, and partings, are counted as they happen") {
  scenarios::Outcome outcome = small_outcome();
  outcome.faults.insert(
      outcome.faults.begin() + 1,
      {Time{5s}, PeerId{2}, core::Fault::Kind::leave});  // of a peer that is down already
  outcome.cuts = {{Time{1s}, Time{2s}}, {Time{8s}, Time{9s}}};
  const Played played(outcome);
  CHECK(played.at(500ms).frame().cost.faults == FaultCounts{});
  CHECK(played.at(5500ms).frame().cost.faults == FaultCounts{.peers = {1}, .partings = 1});
  CHECK(played.at(10s).frame().cost.faults == FaultCounts{.peers = {1, 1}, .partings = 2});
}

TEST_CASE("the last frame of a finished run counts all that its outcome does") {
  scenarios::Outcome outcome = small_outcome();
  outcome.events = 77;
  outcome.peers[1].received = 5;
  outcome.peers[2].received = 2;
  outcome.peers[1].duplicated = 3;
  outcome.peers[2].drops[1] = 4;
  outcome.peers[1].burdens = {{.message_class = core::MessageClass::job,
                               .sent = {.messages = 9, .bytes = 90},
                               .received = {.messages = 5, .bytes = 50}}};
  const Played sampled(outcome);
  const Totals totals = sampled.at(10s).frame().totals;
  CHECK(totals.events == 77);
  CHECK(totals.received == 7);
  CHECK(totals.duplicated == 3);
  CHECK(totals.dropped[1] == 4);
  CHECK(totals.sent_bytes == std::array<std::uint64_t, 3>{0, 90, 0});
  CHECK(totals.received_bytes == 50);
  CHECK(totals.sent[0] == 150);
  outcome.samples.clear();
  const Played unsampled(outcome);
  CHECK(unsampled.at(10s).frame().totals.sent[static_cast<std::size_t>(core::MessageClass::job)] ==
        9);
}

TEST_CASE("a finished run is played with its tasks and their executors") {
  const Played played(small_outcome());
  CHECK(of(played.at(2500ms).rows()[1], Column::running) == 1);
  CHECK(of(played.at(3200ms).rows()[1], Column::running) == 0);
  const TaskCounts before = played.at(3200ms).frame().totals.tasks;
  CHECK(before.submitted == 1);
  CHECK(before.executed == 1);
  CHECK(before.completed == 0);
  CHECK(played.at(4s).frame().totals.tasks.completed == 1);
  CHECK(played.at(10s).facts().size() == 6);
}

TEST_CASE("messages of a sample have been sent as far as its time has passed") {
  const Played played(small_outcome());
  CHECK(played.at(10s).frame().totals.sent[0] == 150);
  CHECK(played.at(10s).frame().totals.sent[1] == 10);
  const std::uint64_t half = played.at(2500ms).frame().totals.sent[0];
  CHECK(half >= 49);
  CHECK(half <= 50);
}

TEST_CASE("logged messages are those of the peers that sent and received them") {
  scenarios::Outcome outcome = small_outcome();
  outcome.kinds = {{.service = "grid",
                    .name = "task",
                    .message_class = core::MessageClass::result,
                    .service_index = 0,
                    .type = 3}};
  // Ordered by receipt: a later message was received earlier.
  outcome.messages = {{.sent = Time{3s}, .received = Time{4s}, .from = {1}, .to = {0}, .type = 3},
                      {.sent = Time{1s}, .received = Time{5s}, .from = {1}, .to = {0}, .type = 3}};
  const Played played(outcome);
  CHECK(of(played.at(2s).rows()[1], Column::result) == 1);
  CHECK(of(played.at(3500ms).rows()[1], Column::result) == 2);
  CHECK(of(played.at(4500ms).rows()[0], Column::received) == 1);
  CHECK(of(played.at(10s).rows()[0], Column::received) == 2);
}

TEST_CASE("frames are closer where many facts are, and no fact is left out") {
  scenarios::Outcome outcome = small_outcome();
  for (std::uint32_t i = 0; i < 100; ++i)
    outcome.facts.add(scenarios::FactPlace{Time{7s}, PeerId{0}, i}, agents::JobCompleted{i});
  outcome.facts.sort();
  const Played played(outcome, {.frames = 10, .most_facts = 8});
  Recording recording(played.file);
  std::size_t facts = 0;
  while (const auto told = recording.next())
    if (const auto* frame = std::get_if<Frame>(&told->answer); frame != nullptr && !told->whole) {
      CHECK(frame->facts.facts.size() <= 8);
      facts += frame->facts.facts.size();
    }
  CHECK(facts == 106);
}

TEST_CASE(
    "a recording of a finished run can be shown from many of its times, and says how it ended") {
  const Played played(small_outcome());
  Recording recording(played.file);
  CHECK_FALSE(recording.is_cut_off());
  CHECK(recording.wholes().size() >= 10);
  CHECK(recording.length() == 10s);
  std::optional<RunsAnswer> answer;
  std::optional<Plan> plan;
  while (const auto told = recording.next()) {
    if (const auto* said = std::get_if<RunsAnswer>(&told->answer)) answer = *said;
    if (const auto* said = std::get_if<Plan>(&told->answer)) plan = *said;
  }
  REQUIRE(plan);
  CHECK(plan->foreseen.faults.size() == 2);
  REQUIRE(answer);
  CHECK(answer->ends.front().label == "grid");
  CHECK(played.at(10s).frame().over);
}

TEST_CASE("a fact long after the end, as a damaged store may hold, fills no disk") {
  scenarios::Outcome outcome = small_outcome();
  outcome.ended = Time{1ms};
  outcome.facts.add(scenarios::FactPlace{Time{10h}, PeerId{0}},
                    agents::TaskCompleted{{0, 0}, PeerId{1}});
  outcome.facts.sort();
  const Played played(outcome, {.frames = 100});
  CHECK(played.at(11h).frame().number < 1000);
}

TEST_CASE("an outcome without facts cannot be played") {
  CHECK(can_be_reenacted(small_outcome()));
  scenarios::Outcome outcome = small_outcome();
  outcome.facts = {};
  CHECK_FALSE(can_be_reenacted(outcome));
}

}  // namespace rhizome::reenactment_test
