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

// Shares whose peers wake and finish at random, and letters that overtake each other.
class World {
 public:
  World(std::uint64_t seed, std::uint32_t shares)
      : rng_(Rng::derive({seed}, "coordinator")), coordinator_(shares, setup_) {
    for (std::uint32_t i = 0; i < shares; ++i) shares_.emplace_back();
  }

  // One random event. `settle`: peers only finish from now on. `restless`: some peer always works.
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

Tally tally(std::uint32_t alive, std::uint32_t finished, std::uint64_t wakings) {
  return {.alive = alive, .finished = finished, .wakings = wakings};
}

// The number of a question; 0 for another message.
std::uint64_t question_of(const std::optional<control::Message>& said) {
  const auto* question = said ? std::get_if<control::Question>(&*said) : nullptr;
  return question != nullptr ? question->number : 0;
}

bool has_finished(const std::optional<control::Message>& said) {
  const auto* ended = said ? std::get_if<control::Ended>(&*said) : nullptr;
  return ended != nullptr && ended->end.ending == Ending::finished;
}

}  // namespace

TEST_CASE("a run is finished only if all peers had finished at one moment, however late news is") {
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

TEST_CASE("a run in which some peer always works does not end, and ends once none does") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    World world(seed, 2 + static_cast<std::uint32_t>(seed % 3));
    for (int i = 0; i < 3000; ++i) world.step(i > 100, true);
    REQUIRE_FALSE(world.end());
    for (int i = 0; i < 3000 && !world.end(); ++i) world.step(true, false);
    CHECK(world.end());
  }
}

TEST_CASE("dead peers do not count in a census, and a census without peers finds no end") {
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
  REQUIRE(question_of(coordinator.look({})) == 2);  // no share has more to tell
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

TEST_CASE("a peer that has not taken a fault yet has not finished") {
  Census census(2);
  census.finished();
  census.finished();
  REQUIRE(census.tally().all_finished());
  census.handed_out();
  CHECK(census.tally().untaken == 1);
  CHECK_FALSE(census.tally().all_finished());
  census.died(true);
  census.revived();
  census.finished();
  census.taken();
  CHECK(census.tally().all_finished());
}

TEST_CASE("shares are told to go on where one denies that the run is over") {
  EngineSetup setup;
  Coordinator coordinator(2, setup);
  for (const std::uint32_t share : {0U, 1U})
    coordinator.hear(share, control::Told{tally(2, 2, 0), 1});
  REQUIRE(question_of(coordinator.look({})) == 1);
  coordinator.hear(0, control::Answer{1, tally(2, 2, 0), 2});
  coordinator.hear(1, control::Answer{1, tally(2, 1, 1), 2});
  const auto said = coordinator.look({});
  REQUIRE(said);
  CHECK(std::get<control::GoOn>(*said).question == 1);
}

TEST_CASE("the time limit, the grace, a request and a failure end the run for all shares") {
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
  setup.healed = Time{9s};  // when shares that were cut off hear that others have finished
  CHECK(end_of(setup, Time{11s}, control::Told{hurried}).failure == "none");
  CHECK(end_of(setup, Time{12s}, control::Told{hurried}) == End{Ending::limit, Time{12s}, ""});
  setup.duration = 4s;
  CHECK(end_of(setup, Time{4s}, control::Told{}) == End{Ending::open, Time{4s}, ""});
}

TEST_CASE("time begins once all shares are built, and a missing share is named") {
  EngineSetup setup;
  Coordinator coordinator(3, setup);
  coordinator.hear(1, control::Built{});
  CHECK_FALSE(coordinator.all_are_built());
  CHECK(coordinator.missing() == "share 0, share 2");
  coordinator.hear(0, control::Built{});
  coordinator.hear(2, control::Built{});
  CHECK(coordinator.all_are_built());
}

TEST_CASE("control messages survive a round trip") {
  const auto back = control::decode(
      control::encode(control::Ended{{.ending = Ending::open, .at = Time{3s}, .failure = "no"}}));
  REQUIRE(back);
  CHECK(std::get<control::Ended>(*back).end == End{Ending::open, Time{3s}, "no"});
  Tally first = tally(3, 2, 9);
  first.first_finish = Time{1s};
  first.untaken = 2;
  for (const Tally& told : {first, tally(1, 0, 0)})
    CHECK(std::get<control::Told>(control::decode(control::encode(control::Told{told})).value())
              .tally == told);
  CHECK_FALSE(control::decode({}));
  CHECK_FALSE(control::decode(Bytes(1, std::byte{99})));
}

}  // namespace rhizome::core::coordinator_test
