// The messages of a share about the run as a whole, and the messages that it believes.
#include "core/engine/shared_control.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/engine/coordinator.hpp"

namespace rhizome::core::shared_control_test {

using namespace std::chrono_literals;

namespace {

// Keeps sent messages, and delivers messages of a test.
class Desk final : public Post {
 public:
  void send(std::uint32_t to, const Bytes& message) override {
    if (to == unreachable) throw ShareFailed("share " + std::to_string(to) + " is gone");
    sent.push_back(control::decode(message).value());
  }
  std::optional<Letter> receive(std::chrono::nanoseconds) override {
    if (waiting.empty()) return {};
    Letter first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }
  void put(std::uint32_t from, const control::Message& message) {
    waiting.push_back({from, control::encode(message)});
  }

  std::vector<control::Message> sent;
  std::deque<Letter> waiting;
  std::optional<std::uint32_t> unreachable{};
};

Tally tally(std::uint32_t alive, std::uint32_t finished, std::uint64_t wakings) {
  return {.alive = alive, .finished = finished, .wakings = wakings};
}

const Placement halves = Placement::round_robin(4, 2);

}  // namespace

TEST_CASE("a share that may have seen the end hands out no fault until it is told to go on") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(halves, 1), desk, setup);
  const auto hears = [&](const control::Message& message, const Tally& seen) {
    desk.put(0, message);
    CHECK_FALSE(control.look({.tally = seen}));
    CHECK_FALSE(control.look({.tally = seen}));
    return control.may_have_ended();
  };
  CHECK_FALSE(hears(control::Question{1}, tally(2, 1, 0)));
  CHECK(hears(control::Question{2}, tally(2, 2, 0)));
  CHECK(hears(control::GoOn{1}, tally(2, 2, 0)));
  CHECK_FALSE(hears(control::GoOn{2}, tally(2, 2, 0)));
}

TEST_CASE("a question is answered with the state after its arrival, never with an earlier one") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(halves, 1), desk, setup);
  desk.put(0, control::Question{7});
  CHECK_FALSE(control.look({.tally = tally(2, 2, 0)}));
  REQUIRE(desk.sent.size() == 1);
  CHECK(std::holds_alternative<control::Told>(desk.sent[0]));
  CHECK_FALSE(control.look({.tally = tally(2, 1, 1)}));
  REQUIRE(desk.sent.size() == 3);
  const auto& answer = std::get<control::Answer>(desk.sent[2]);
  CHECK(answer.question == 7);
  CHECK(answer.tally == tally(2, 1, 1));
  CHECK(std::get<control::Told>(desk.sent[0]).number == 1);
  CHECK(std::get<control::Told>(desk.sent[1]).number == 2);
  CHECK(answer.number == 3);
}

TEST_CASE("a share that does not come in time is named, and the run given up") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(halves, 0), desk, setup,
                        {.build_within = 30ms, .close_within = 30ms});
  CHECK_FALSE(control.start(""));
  const auto end = control.look({});
  REQUIRE(end);
  CHECK(end->failure == "these have not been built in time: share 1");
  const std::vector<std::uint64_t> nothing(2);
  CHECK_THROWS_WITH_AS(static_cast<void>(control.close(nothing)),
                       "share 1 does not come to its end", ShareFailed);
}

TEST_CASE("a letter that cannot be read ends the run") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(halves, 1), desk, setup);
  desk.waiting.push_back({0, Bytes(3, std::byte{0x77})});
  const auto end = control.look({});
  REQUIRE(end);
  CHECK(end->failure == "what share 0 says cannot be read");
}

TEST_CASE("a letter from outside the other shares of the run ends it") {
  EngineSetup setup;
  for (const std::uint32_t from : {1U, 2U}) {
    Desk desk;
    SharedControl control(Share(halves, 1), desk, setup);
    desk.put(from, control::Closed{3});
    const auto end = control.look({});
    REQUIRE(end);
    CHECK(end->failure == "a letter says that it is from share " + std::to_string(from) +
                              ", which is no other share of the run");
  }
  Coordinator coordinator(2, setup);
  CHECK_THROWS_WITH_AS(coordinator.hear(2, control::Built{}), "share 2 is not of the run",
                       ShareFailed);
}

TEST_CASE("a message that only share 0 may send is ignored from another") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(Placement::round_robin(6, 3), 1), desk, setup,
                        {.build_within = 30ms});
  desk.put(2, control::Question{7});
  desk.put(2, control::Ended{{Ending::finished, Time{1s}, ""}});
  CHECK_FALSE(control.look({}));
  CHECK_FALSE(control.look({}));
  CHECK(desk.sent.size() == 1);  // its state, and no answer
  desk.put(2, control::Start{5s});
  CHECK_FALSE(control.start(""));
}

TEST_CASE("reachable shares are told of the border though another share is gone") {
  EngineSetup setup;
  Desk desk;
  desk.unreachable = 0;
  SharedControl control(Share(Placement::round_robin(6, 3), 1), desk, setup);
  const std::vector<std::uint64_t> handed_over{4, 0, 9};
  CHECK_THROWS_WITH_AS(static_cast<void>(control.close(handed_over)), "share 0 is gone",
                       ShareFailed);
  REQUIRE(desk.sent.size() == 1);
  CHECK(std::get<control::Closed>(desk.sent[0]).handed_over == 9);
  control.abandon(handed_over);
  CHECK(desk.sent.size() == 2);
}

}  // namespace rhizome::core::shared_control_test
