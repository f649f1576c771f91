// A run that loses peers with their process: the rest goes on, its books balance, and nothing is
// claimed about the lost peers.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/engine/coordinator.hpp"
#include "core/engine/partial_report.hpp"
#include "core/engine/shared_control.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/record.hpp"
#include "test/support/violations.hpp"

namespace rhizome::lost_peers_test {

using namespace std::chrono_literals;
using namespace core;
using test::broken;
using test::busy_outcome;
using test::Names;

namespace {

Tally done() { return {.alive = 2, .finished = 2}; }

// The post of share 1 of three; reports the lost share.
class Desk final : public Post {
 public:
  void send(std::uint32_t, const Bytes&) override {}
  std::optional<Letter> receive(std::chrono::nanoseconds) override {
    if (waiting.empty()) return {};
    Letter first = std::move(waiting.back());
    waiting.pop_back();
    return first;
  }
  [[nodiscard]] std::optional<Gone> gone(std::uint32_t share) const override {
    return share == lost ? std::optional(Gone{"process 2 is lost: it broke", 5}) : std::nullopt;
  }
  [[nodiscard]] std::chrono::nanoseconds clock_bound() const override { return 40us; }
  [[nodiscard]] std::chrono::nanoseconds clock_offset() const override { return offset; }
  void put(std::uint32_t from, const control::Message& message) {
    waiting.push_back({from, control::encode(message)});
  }

  std::vector<Letter> waiting;
  std::optional<std::uint32_t> lost;
  std::chrono::nanoseconds offset{0};
};

const Placement thirds = Placement::round_robin(6, 3);

// Time has begun for the share of that number.
void begin(SharedControl& control, Desk& desk, std::uint32_t number) {
  if (number == 0) {
    for (const std::uint32_t from : {1U, 2U}) desk.put(from, control::Built{});
  } else {
    desk.put(0, control::Start{1s});
  }
  REQUIRE(control.start("").has_value());
}

LostPeers lost_peers() {
  return {.peers = {PeerId{1}},
          .why = "process 1 on h1 is lost: its connection broke",
          .last_heard = Time{3s},
          .noticed = Time{4s},
          .handed_over = 2,
          .received = 1};
}

}  // namespace

TEST_CASE("the report of a lost share is not waited for") {
  EngineSetup setup;
  Coordinator coordinator(3, setup);
  for (const std::uint32_t share : {0U, 1U}) {
    coordinator.hear(share, control::Built{});
    coordinator.hear(share, control::Told{done(), 1});
  }
  CHECK_FALSE(coordinator.all_are_built());
  CHECK_FALSE(coordinator.look({}));
  coordinator.lose(2);
  CHECK(coordinator.all_are_built());
  const auto question = coordinator.look({});
  REQUIRE(question);
  const auto number = std::get<control::Question>(*question).number;
  for (const std::uint32_t share : {0U, 1U})
    coordinator.hear(share, control::Answer{number, done(), 2});
  const auto end = coordinator.look({});
  REQUIRE(end);
  CHECK(std::get<control::Ended>(*end).end.ending == Ending::finished);
}

TEST_CASE("a share that is lost while it is asked answers for no peer") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  for (const std::uint32_t share : {0U, 1U}) coordinator.hear(share, control::Told{done(), 1});
  REQUIRE(coordinator.look({}));
  coordinator.hear(0, control::Answer{1, done(), 2});
  CHECK_FALSE(coordinator.look({}));
  coordinator.lose(1);
  const auto end = coordinator.look({});
  REQUIRE(end);
  CHECK(std::holds_alternative<control::Ended>(*end));
}

TEST_CASE("a share knows the gain of its clock since time zero, and its accuracy") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(thirds, 1), desk, setup);
  desk.offset = 7ms;
  begin(control, desk, 1);
  CHECK(control.clock().gained == 0us);
  desk.offset = 6ms;
  CHECK(control.clock().gained == -1ms);
  CHECK(control.clock().bound == 40us);
}

TEST_CASE("the messages of a lost share that had arrived count, whatever it has said") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(thirds, 1), desk, setup, {.close_within = 30ms});
  begin(control, desk, 1);
  desk.put(0, control::Closed{7});
  desk.put(2, control::Closed{100});
  const std::vector<std::uint64_t> handed_over(3);
  CHECK(control.close(handed_over) == 107);
  desk.lost = 2;
  CHECK(control.close(handed_over) == 12);
}

TEST_CASE("a share goes on without another, and not without share 0 nor before time begins") {
  EngineSetup setup;
  setup.limit = 1h;
  Desk desk;
  SharedControl control(Share(thirds, 1), desk, setup);
  begin(control, desk, 1);
  desk.lost = 2;
  CHECK_FALSE(control.look({}).has_value());
  desk.lost = 0;
  const auto end = control.look({});
  REQUIRE(end);
  CHECK(end->failure == "process 2 is lost: it broke");

  SharedControl early(Share(thirds, 0), desk, setup);
  desk.lost = 2;
  CHECK_FALSE(early.start("").has_value());
  CHECK(early.look({})->failure == "process 2 is lost: it broke");
}

TEST_CASE("a run that is to end at a loss ends as one that is interrupted") {
  EngineSetup setup;
  setup.limit = 1h;
  for (const bool end_on_loss : {false, true}) {
    Desk desk;
    SharedControl control(Share(thirds, 0), desk, setup, {.end_on_loss = end_on_loss});
    begin(control, desk, 0);
    desk.lost = 2;
    const auto end = control.look({});
    CHECK(end.has_value() == end_on_loss);
    if (end) CHECK(end->ending == Ending::interrupted);
    if (end) CHECK(end->failure.empty());
  }
}

TEST_CASE("peers that were lost are down in the report of all, and in no part of it") {
  PartialReport part;
  part.peers = {PeerId{0}};
  part.report.ended = Time{7s};
  part.report.recorders.resize(1);
  part.report.incarnations.resize(1);
  part.report.alive = {true};
  part.report.finished = {true};
  part.report.armed.resize(1);
  const EngineReport report = merge({part}, 2, {lost_peers()});
  CHECK(report.ended == Time{7s});
  CHECK(report.recorders.size() == 2);
  CHECK(report.alive == std::vector{true, false});
  CHECK(report.between.lost == std::vector{lost_peers()});
  CHECK_THROWS_WITH_AS(static_cast<void>(merge({part, part}, 2, {lost_peers()})),
                       "peer 0 is in two parts of the report", std::invalid_argument);
}

TEST_CASE("packets that crossed to and from lost peers stand for their books") {
  scenarios::Outcome outcome = busy_outcome();
  REQUIRE(broken(outcome).empty());
  outcome.lost = {lost_peers()};
  CHECK(broken(outcome) == Names{"conservation"});
  outcome.peers[1].received += 1;  // received from the lost peers
  outcome.peers[1].sent += 2;      // sent to the lost peers
  CHECK(broken(outcome).empty());
}

TEST_CASE("packets that one process lost and another made up are missed between these two") {
  scenarios::Outcome outcome = busy_outcome();
  outcome.passages = {{"process 0 on h0", "process 1 on h1", 5, 5},
                      {"process 0 on h0", "process 2 on h2", 7, 6},
                      {"process 1 on h1", "process 2 on h2", 7, 8}};
  const auto violations = scenarios::examine(outcome).violations;
  REQUIRE(violations.size() == 2);
  CHECK(violations[0].invariant == "conservation");
  CHECK(violations[0].text ==
        "process 0 on h0 sent 7 packets to process 2 on h2, which received 6");
  CHECK(violations[1].text ==
        "process 1 on h1 sent 7 packets to process 2 on h2, which received 8");
}

TEST_CASE("a run that lost peers breaks no invariant that depends on their books") {
  scenarios::Outcome outcome = busy_outcome();
  outcome.tasks.front().completed = false;
  CHECK(broken(outcome) == Names{"no-task-lost"});
  outcome.lost = {LostPeers{}};
  CHECK(broken(outcome).empty());
}

TEST_CASE("a run that lost peers is invalid, and tells which, why and when") {
  const auto verdict = scenarios::invalid_by_loss({lost_peers()}, no_peer, {.tolerance = 5ms});
  CHECK(verdict.level == scenarios::Validity::Level::invalid);
  CHECK(verdict.tolerance == 5ms);
  CHECK(verdict.reason == "process 1 on h1 is lost: its connection broke, with 1 peers, after 3 s");
  const PeerId source = lost_peers().peers.front();
  CHECK(scenarios::invalid_by_loss({lost_peers()}, source, {}).reason ==
        verdict.reason + "; work enters at peer " + std::to_string(source.value) +
            ", which is one of them");
}

TEST_CASE("the record of a run names its processes, and one of before names none") {
  scenarios::RunRecord record;
  CHECK(scenarios::record_of(scenarios::json_of(record))->processes.empty());
  record.processes = {{.host = "h1",
                       .cores = 1,
                       .host_cores = 2,
                       .peers = 3,
                       .clock_offset = -0.5,
                       .clock_bound = 0.25,
                       .round_trip = 0.125,
                       .runs = 4,
                       .crossed = {{{1, 41, 0}, {2, 90, 0}, {3, 130, 0}}},
                       .lost = "it broke"}};
  const auto read = scenarios::record_of(scenarios::json_of(record)).value().processes;
  REQUIRE(read.size() == 1);
  CHECK(read[0].host == "h1");
  CHECK(read[0].cores == 1);
  CHECK(read[0].host_cores == 2);
  CHECK(read[0].peers == 3);
  CHECK(read[0].clock_offset == -0.5);
  CHECK(read[0].clock_bound == 0.25);
  CHECK(read[0].round_trip == 0.125);
  CHECK(read[0].runs == 4);
  CHECK(read[0].crossed == record.processes[0].crossed);
  CHECK(read[0].lost == "it broke");
}

TEST_CASE("the record of a run tells its launcher and the kind of rendezvous") {
  scenarios::RunRecord record;
  CHECK_FALSE(scenarios::record_of(scenarios::json_of(record))->launch);
  record.launch = {.launcher = "srun", .met_by = "pmix"};
  const auto read = scenarios::record_of(scenarios::json_of(record)).value().launch;
  REQUIRE(read);
  CHECK(read->launcher == "srun");
  CHECK(read->met_by == "pmix");
}

}  // namespace rhizome::lost_peers_test
