// How shares agree that a run has ended, however late they hear from each other.
#include "core/engine/coordinator.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/engine/shared_control.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::core::coordinator_test {

using namespace std::chrono_literals;

namespace {

// Shares whose peers wake and finish by chance, and letters that overtake each other.
class World {
 public:
  World(std::uint64_t seed, std::uint32_t shares)
      : rng_(Rng::derive({seed}, "coordinator")), coordinator_(shares, setup_) {
    for (std::uint32_t i = 0; i < shares; ++i) shares_.emplace_back();
  }

  // One thing happens. `settle`: peers only finish from now on. `restless`: somebody always works.
  void step(bool settle, bool restless) {
    const auto share = static_cast<std::uint32_t>(rng_.below(shares_.size()));
    switch (rng_.below(4)) {
      case 0:
        change(shares_[share], settle, restless);
        break;
      case 1:
        look(share);
        break;
      case 2:
        deliver();
        break;
      default:
        if (const auto said = coordinator_.look({})) order(*said);
    }
  }

  [[nodiscard]] bool all_finished() const {
    std::size_t unfinished = 0;
    for (const Share& share : shares_)
      for (const bool finished : share.finished) unfinished += finished ? 0 : 1;
    return unfinished == 0;
  }
  [[nodiscard]] const std::optional<End>& end() const { return end_; }
  // When the coordinator last asked.
  [[nodiscard]] bool had_finished_when_asked() const { return had_finished_; }

 private:
  struct Share {
    Census census{3};
    std::vector<bool> finished = std::vector<bool>(3);
    std::optional<std::uint64_t> question{};
    std::optional<Tally> told{};
    std::uint64_t tallies = 0;
  };
  struct Letter {
    std::uint32_t from = 0;
    std::optional<std::uint32_t> to{};  // to the coordinator without
    control::Message message;
  };

  void change(Share& share, bool settle, bool restless) {
    const std::size_t peer = rng_.below(3);
    if (share.finished[peer]) {
      if (settle) return;
      share.finished[peer] = false;
      share.census.resumed();
      return;
    }
    share.finished[peer] = true;
    if (restless && all_finished())
      share.finished[peer] = false;
    else
      share.census.finished();
  }
  void look(std::uint32_t from) {
    Share& share = shares_[from];
    const Tally tally = share.census.tally();
    if (share.told != tally) {
      share.told = tally;
      under_way_.push_back({from, {}, control::Told{tally, ++share.tallies}});
    }
    if (const auto question = std::exchange(share.question, std::nullopt))
      under_way_.push_back({from, {}, control::Answer{*question, tally, ++share.tallies}});
  }
  void order(const control::Message& message) {
    if (const auto* ended = std::get_if<control::Ended>(&message)) end_ = ended->end;
    if (!std::holds_alternative<control::Question>(message)) return;
    had_finished_ = all_finished();
    for (std::uint32_t to = 0; to < shares_.size(); ++to) under_way_.push_back({0, to, message});
  }
  void deliver() {
    if (under_way_.empty()) return;
    std::swap(under_way_[rng_.below(under_way_.size())], under_way_.back());
    const Letter letter = std::move(under_way_.back());
    under_way_.pop_back();
    if (!letter.to)
      coordinator_.hear(letter.from, letter.message);
    else
      shares_[*letter.to].question = std::get<control::Question>(letter.message).number;
  }

  EngineSetup setup_;
  Rng rng_;
  Coordinator coordinator_;
  std::deque<Share> shares_;
  std::vector<Letter> under_way_;
  std::optional<End> end_;
  bool had_finished_ = false;
};

// Keeps what is sent, and hands out what a test puts in.
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

// Its number; 0 for what is no question.
std::uint64_t question_of(const std::optional<control::Message>& said) {
  const auto* question = said ? std::get_if<control::Question>(&*said) : nullptr;
  return question != nullptr ? question->number : 0;
}

bool has_finished(const std::optional<control::Message>& said) {
  const auto* ended = said ? std::get_if<control::Ended>(&*said) : nullptr;
  return ended != nullptr && ended->end.ending == Ending::finished;
}

const Placement halves = Placement::round_robin(4, 2);

}  // namespace

TEST_CASE("a run is finished only if at one moment everybody had finished, however late news is") {
  std::size_t ended = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    World world(seed, 1 + static_cast<std::uint32_t>(seed % 4));
    for (int i = 0; i < 6000 && !world.end(); ++i) world.step(i > 2000, false);
    if (!world.end()) continue;
    ++ended;
    CHECK(world.end()->ending == Ending::finished);
    CHECK(world.had_finished_when_asked());
  }
  CHECK(ended > 250);
}

TEST_CASE("a run in which somebody always works does not end, and ends once nobody does") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    World world(seed, 2 + static_cast<std::uint32_t>(seed % 3));
    for (int i = 0; i < 3000; ++i) world.step(i > 100, true);
    REQUIRE_FALSE(world.end());
    for (int i = 0; i < 3000 && !world.end(); ++i) world.step(true, false);
    CHECK(world.end());
  }
}

TEST_CASE("who died takes part in no census, and of nobody nothing is finished") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  std::uint64_t tallies = 0;
  const auto all_say = [&](const Tally& first, const Tally& second) {
    coordinator.hear(0, control::Told{first, ++tallies});
    coordinator.hear(1, control::Told{second, tallies});
    const auto question = coordinator.look({});
    if (!question) return false;
    const auto number = std::get<control::Question>(*question).number;
    coordinator.hear(0, control::Answer{number, first, ++tallies});
    coordinator.hear(1, control::Answer{number, second, tallies});
    const auto end = coordinator.look({});
    return end && std::holds_alternative<control::Ended>(*end);
  };
  CHECK_FALSE(all_say(tally(0, 0, 0), tally(0, 0, 0)));
  CHECK_FALSE(all_say(tally(1, 0, 0), tally(2, 2, 0)));
  CHECK(all_say(tally(0, 0, 4), tally(2, 2, 0)));
}

TEST_CASE("told again between one's own answer and the last answer") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  coordinator.hear(0, control::Told{tally(2, 2, 0), 1});
  coordinator.hear(1, control::Told{tally(2, 2, 0), 1});
  REQUIRE(question_of(coordinator.look({})) == 1);
  coordinator.hear(0, control::Told{tally(2, 1, 1), 2});
  coordinator.hear(0, control::Answer{1, tally(2, 1, 1), 3});
  coordinator.hear(0, control::Told{tally(2, 2, 1), 4});
  coordinator.hear(1, control::Answer{1, tally(2, 2, 0), 2});
  REQUIRE(question_of(coordinator.look({})) == 2);  // nobody has more to tell
  coordinator.hear(0, control::Answer{2, tally(2, 2, 1), 5});
  coordinator.hear(1, control::Answer{2, tally(2, 2, 0), 3});
  CHECK(has_finished(coordinator.look({})));
}

TEST_CASE("an older word that comes late changes nothing") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  coordinator.hear(0, control::Told{tally(2, 2, 1), 2});
  coordinator.hear(0, control::Told{tally(2, 1, 1), 1});
  coordinator.hear(1, control::Told{tally(2, 2, 0), 1});
  REQUIRE(question_of(coordinator.look({})) == 1);
  coordinator.hear(0, control::Told{tally(2, 2, 2), 5});
  coordinator.hear(0, control::Answer{1, tally(2, 1, 2), 4});
  coordinator.hear(0, control::Told{tally(2, 1, 2), 3});
  coordinator.hear(1, control::Answer{1, tally(2, 2, 0), 2});
  CHECK(question_of(coordinator.look({})) == 2);
}

TEST_CASE("whose peers were called back and have finished again are asked once more") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  coordinator.hear(0, control::Told{tally(2, 2, 0), 1});
  coordinator.hear(1, control::Told{tally(2, 2, 0), 1});
  REQUIRE(question_of(coordinator.look({})) == 1);
  coordinator.hear(0, control::Answer{1, tally(2, 2, 1), 2});
  coordinator.hear(1, control::Answer{1, tally(2, 2, 0), 2});
  CHECK(question_of(coordinator.look({})) == 2);
}

TEST_CASE("time, whoever hurries first, a request and a failure end the run for all") {
  const auto end_of = [](const EngineSetup& setup, Time now, const control::Message& message) {
    Coordinator coordinator(2, setup);
    coordinator.hear(1, message);
    const auto said = coordinator.look(now);
    return said ? std::get<control::Ended>(*said).end : End{.failure = "none"};
  };
  EngineSetup setup;
  setup.limit = 20s;
  setup.grace = 3s;
  Tally hurried = tally(3, 1, 0);
  hurried.first_finish = Time{5s};
  CHECK(end_of(setup, Time{7s}, control::Told{hurried}).failure == "none");
  CHECK(end_of(setup, Time{8s}, control::Told{hurried}) == End{Ending::limit, Time{8s}, ""});
  CHECK(end_of(setup, Time{20s}, control::Told{}) == End{Ending::limit, Time{20s}, ""});
  CHECK(end_of(setup, Time{1s}, control::Halt{}) == End{Ending::interrupted, Time{1s}, ""});
  CHECK(end_of(setup, Time{1s}, control::Halt{"it hurts"}) ==
        End{Ending::interrupted, Time{1s}, "share 1 has failed: it hurts"});
  setup.duration = 4s;
  CHECK(end_of(setup, Time{4s}, control::Told{}) == End{Ending::open, Time{4s}, ""});
}

TEST_CASE("time begins once all are built, and who is missing has a name") {
  EngineSetup setup;
  Coordinator coordinator(3, setup);
  coordinator.hear(1, control::Built{});
  CHECK_FALSE(coordinator.everybody_is_built());
  CHECK(coordinator.missing() == "share 0, share 2");
  coordinator.hear(0, control::Built{});
  coordinator.hear(2, control::Built{});
  CHECK(coordinator.everybody_is_built());
}

TEST_CASE(
    "a question is answered with what is seen after it has come, never with what was before") {
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

TEST_CASE("who does not come in time is named, and the run given up") {
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

TEST_CASE("a letter of nobody else of the run ends it") {
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

TEST_CASE("what share 0 alone may say counts for nothing from another") {
  EngineSetup setup;
  Desk desk;
  SharedControl control(Share(Placement::round_robin(6, 3), 1), desk, setup,
                        {.build_within = 30ms});
  desk.put(2, control::Question{7});
  desk.put(2, control::Ended{{Ending::finished, Time{1s}, ""}});
  CHECK_FALSE(control.look({}));
  CHECK_FALSE(control.look({}));
  CHECK(desk.sent.size() == 1);  // what it has come to, and no answer
  desk.put(2, control::Start{5s});
  CHECK_FALSE(control.start(""));
}

TEST_CASE("whoever can be reached is told of the border though another share is gone") {
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

TEST_CASE("control messages survive a round trip") {
  const auto back = control::decode(
      control::encode(control::Ended{{.ending = Ending::open, .at = Time{3s}, .failure = "no"}}));
  REQUIRE(back);
  CHECK(std::get<control::Ended>(*back).end == End{Ending::open, Time{3s}, "no"});
  Tally first = tally(3, 2, 9);
  first.first_finish = Time{1s};
  for (const Tally& told : {first, tally(1, 0, 0)})
    CHECK(std::get<control::Told>(control::decode(control::encode(control::Told{told})).value())
              .tally == told);
  CHECK_FALSE(control::decode({}));
  CHECK_FALSE(control::decode(Bytes(1, std::byte{99})));
}

}  // namespace rhizome::core::coordinator_test
