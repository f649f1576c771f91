#include "core/explore/explorer.hpp"

#include <set>

#include <doctest/doctest.h>

#include "core/explore/minimise.hpp"
#include "core/peer/state_dump.hpp"
#include "test/support/explorers.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::explorer_test {

using namespace std::chrono_literals;
using core::Broken;
using core::Choice;
using core::Explorer;
using core::PeerId;
using core::StateDump;
using test::explored;
using test::unfinished;

namespace {

struct Letter {
  static constexpr core::MessageInfo info{"letter", core::MessageClass::information,
                                          core::Cause::probe};
  std::uint32_t number = 0;
};
struct Opened {
  static constexpr core::FactInfo info{"opened", "A letter was opened.", "from | number"};
  PeerId from;
  std::uint32_t number = 0;
};

// All others send peer 0 so many letters, and have finished. It notes them as they come.
class Letters {
 public:
  using Messages = core::OneOf<Letter>;
  using Env = core::Env<Messages, core::Nothing, core::OneOf<Opened>>;
  static constexpr std::string_view name = "letters";
  Letters(std::uint32_t each, std::uint32_t all) : each_(each), left_(all) {}
  void start(Env& env) {
    if (env.self() == PeerId{0}) return;
    for (std::uint32_t i = 0; i < each_; ++i) env.send(PeerId{0}, Letter{i});
    env.finish();
  }
  void on(Env& env, PeerId from, const Letter& letter) {
    env.note(Opened{from, letter.number});
    if (--left_ == 0) env.finish();
  }

 private:
  std::uint32_t each_;
  std::uint32_t left_;
};

// The same, showing all that it knows.
class OpenLetters : public Letters {
 public:
  using Letters::Letters;
  void dump_state(StateDump& dump) const { dump.tell("got", 0); }
};

// Peer 0 sends a letter until it is answered, again after a second; both finish.
class Stubborn {
 public:
  struct Again {};
  using Messages = core::OneOf<Letter>;
  using Env = core::Env<Messages, core::OneOf<Again>, core::OneOf<Opened>>;
  static constexpr std::string_view name = "stubborn";
  explicit Stubborn(bool repeats) : repeats_(repeats) {}
  void start(Env& env) {
    if (env.self() == PeerId{0}) ask(env);
  }
  void on(Env& env, PeerId from, const Letter& letter) {
    env.note(Opened{from, letter.number});
    if (env.self() == PeerId{1}) env.send(from, letter);
    answered_ = true;
    env.finish();
  }
  void on(Env& env, const Again&) {
    if (!answered_) ask(env);
  }
  void dump_state(StateDump& dump) const { dump.tell("answered", answered_); }

 private:
  void ask(Env& env) {
    env.send(PeerId{1}, Letter{});
    if (repeats_) env.after(1s, Again{});
  }
  bool repeats_;
  bool answered_ = false;
};

class Thrower {
 public:
  using Messages = core::OneOf<Letter>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "thrower";
  void start(Env& env) { env.send(PeerId{0}, Letter{}); }
  void on(Env&, PeerId, const Letter&) { throw std::logic_error("this cannot be"); }
};

// Wakes up once, after so many seconds at each peer, and finishes.
class Sleeper {
 public:
  struct Wake {};
  using Messages = core::Nothing;
  using Env = core::Env<Messages, core::OneOf<Wake>, core::OneOf<Opened>>;
  static constexpr std::string_view name = "sleeper";
  explicit Sleeper(std::vector<core::Duration> delays) : delays_(std::move(delays)) {}
  void start(Env& env) { env.after(delays_[env.self().value], Wake{}); }
  void on(Env& env, const Wake&) {
    env.note(Opened{env.self(), 0});
    env.finish();
  }

 private:
  std::vector<core::Duration> delays_;
};

auto letters(std::uint32_t each, std::uint32_t all) {
  return [=](core::Peer& peer) { peer.add<Letters>(each, all); };
}
auto stubborn(bool repeats) {
  return [=](core::Peer& peer) { peer.add<Stubborn>(repeats); };
}

// How often each number of facts was noted in a history.
core::ExplorerChecks counting(std::set<std::size_t>& facts) {
  return {.history = [&facts](const core::EngineReport& report, const auto&) {
    std::size_t all = 0;
    for (const core::Recorder& recorder : report.recorders) all += recorder.facts().size();
    facts.insert(all);
    return Broken{};
  }};
}

}  // namespace

TEST_CASE("packets of several peers to one come in every order") {
  const auto two = explored(3, letters(3, 6));
  CHECK(two.exhausted);
  CHECK(two.counts.histories == 720);  // 6!: even those of one peer may overtake each other
  CHECK(explored(4, letters(1, 3)).counts.histories == 6);
}

TEST_CASE(
    "packets to several peers come in one order, for they have nothing to do with each other") {
  const auto equip = [](core::Peer& peer) {
    peer.add<test::Mail>(test::Mail::Options{.parcels = 1, .to = PeerId{1}});
    peer.add<test::Mail>(test::Mail::Options{.parcels = 1, .to = PeerId{2}});
  };
  const auto all = explored(3, equip);
  CHECK(all.exhausted);
  CHECK(all.counts.histories == 1);
}

TEST_CASE("packets that are the same in every respect are tried once") {
  const auto equip = [](core::Peer& peer) {
    peer.add<test::Mail>(test::Mail::Options{.parcels = 5, .to = PeerId{1}});
  };
  CHECK(explored(2, equip).counts.histories == 1);
}

TEST_CASE("where a peer shows its state, the order of its past events is forgotten") {
  const auto equip = [](core::Peer& peer) { peer.add<OpenLetters>(2U, 4U); };
  const auto all = explored(3, equip);
  CHECK(all.exhausted);
  CHECK(all.counts.states == 16);  // any of the four letters may have come
}

TEST_CASE("noted facts are a part of the state, since rules are judged by them") {
  std::set<std::size_t> facts;
  const auto all = explored(2, stubborn(true), {.losses = 1}, counting(facts));
  CHECK(all.exhausted);
  CHECK(facts == std::set<std::size_t>{2, 3});  // the answer was lost, and given again
}

TEST_CASE("a timer that is set for long waits until nothing is under way") {
  std::set<std::size_t> facts;
  const auto calm = explored(2, stubborn(true), {}, counting(facts));
  CHECK(calm.exhausted);
  CHECK(calm.counts.histories == 1);
  CHECK(facts == std::set<std::size_t>{2});
}

TEST_CASE("a timer fires early as often as it may, and freely within a moment") {
  std::set<std::size_t> facts;
  const auto early = explored(2, stubborn(true), {.early = 1}, counting(facts));
  CHECK(early.exhausted);
  CHECK(facts == std::set<std::size_t>{2, 4});  // the letter and its answer, once or twice
  const auto free = explored(2, stubborn(true), {.moment = 1s}, {}, {.depth = 12});
  CHECK_FALSE(free.exhausted);
}

TEST_CASE("in a quiet system timers fire in the order of their times, those of a moment in any") {
  const auto sleepers = [](std::vector<core::Duration> delays) {
    return explored(2, [delays](core::Peer& peer) { peer.add<Sleeper>(delays); }).counts;
  };
  CHECK(sleepers({1s, 2s}).histories == 1);
  CHECK(sleepers({1s, 1s}).histories == 2);
  CHECK(sleepers({1s, 1s + 1ms}).histories == 2);
  CHECK(sleepers({1s, 1s + 2ms}).histories == 1);
}

TEST_CASE("a loss is survived by a peer that repeats, and found where no peer does") {
  CHECK(explored(2, stubborn(true), {.losses = 2}, {.history = unfinished}).exhausted);
  const auto lost = explored(2, stubborn(false), {.losses = 1}, {.history = unfinished});
  CHECK(lost.broken.rule == "unfinished");
  CHECK(explored(2, stubborn(false), {}, {.history = unfinished}).exhausted);
}

TEST_CASE("a packet may come twice, and no packet to oneself") {
  std::set<std::size_t> facts;
  CHECK(explored(2, letters(1, 1), {.duplicates = 1}, counting(facts)).exhausted);
  CHECK(facts == std::set<std::size_t>{1, 2});
  const auto equip = [](core::Peer& peer) {
    peer.add<test::Mail>(test::Mail::Options{.parcels = 1, .to = PeerId{0}});
  };
  CHECK(explored(1, equip, {.losses = 1, .duplicates = 1}).counts.histories == 1);
}

TEST_CASE("a peer crashes at any time unless it is spared, and starts again") {
  std::set<std::pair<bool, bool>> alive;
  std::set<std::uint32_t> lives;
  const core::ExplorerChecks checks{
      .history = [&](const core::EngineReport& report, const std::vector<core::Fault>& faults) {
        alive.insert({report.alive[0], report.alive[1]});
        lives.insert(report.incarnations[1].value);
        return faults.size() <= 2 ? Broken{} : Broken{"too many", ""};
      }};
  CHECK(explored(2, stubborn(true), {.crashes = 1, .restarts = 1, .spared = {PeerId{0}}}, checks,
                 {.depth = 20})
            .broken.rule.empty());
  CHECK(alive == std::set<std::pair<bool, bool>>{{true, true}, {true, false}});
  CHECK(lives == std::set<std::uint32_t>{0, 1});
}

TEST_CASE("an exception of a protocol is reported as a broken rule") {
  const auto broken = explored(1, [](core::Peer& peer) { peer.add<Thrower>(); }).broken;
  CHECK(broken.rule == "exception");
  CHECK(broken.told == "this cannot be");
}

TEST_CASE("packets are conserved whatever happens to them") {
  const core::ExplorerChecks checks{.history = [](const core::EngineReport& report, const auto&) {
    const auto sum = [&report](auto count) { return test::total(report, count); };
    using core::Recorder;
    const bool balanced = sum(&Recorder::sent_count) + sum(&Recorder::duplicated_count) ==
                          sum(&Recorder::received_count) + sum(&Recorder::dropped_count) +
                              sum(&Recorder::in_flight_count);
    return balanced ? Broken{} : Broken{"conservation", ""};
  }};
  const auto all = explored(3, letters(2, 4),
                            {.crashes = 1, .restarts = 1, .losses = 1, .duplicates = 1}, checks);
  CHECK(all.exhausted);
  CHECK(all.broken.rule.empty());
}

TEST_CASE("a history is told as a conversation") {
  std::vector<std::string> told;
  Explorer explorer(test::setup_of(2, 1h, stubborn(true)), {.crashes = 1, .losses = 1}, {});
  explorer.listen([&told](const std::string& line) { told.push_back(line); });
  explorer.begin();
  const auto take = [&explorer](const std::string& words) {
    for (const Choice& choice : explorer.choices())
      if (explorer.words(choice) == words) return explorer.take(choice);
    FAIL("not possible: " << words);
  };
  take("peer 1 never gets letter 0 from peer 0");
  take("peer 0 wakes up for Again{}");
  take("peer 1 gets letter 0 from peer 0");
  take("peer 1 crashes");
  CHECK(told == std::vector<std::string>{
                    "    sends letter 0 to 1", "peer 1 never gets letter 0 from peer 0",
                    "peer 0 wakes up for Again{}", "    sends letter 0 to 1",
                    "peer 1 gets letter 0 from peer 0", "    sends letter 0 to 0",
                    "    notes opened [0, 0]", "peer 1 crashes"});
}

TEST_CASE("a history that was found is made short, and breaks the same rule") {
  Explorer explorer(test::setup_of(2, 1h, stubborn(false)), {.losses = 2, .duplicates = 2},
                    {.history = unfinished});
  core::Search search(explorer, {});
  search.explore();
  REQUIRE(search.broken());
  const auto shortest = core::minimise(explorer, *search.broken(), 100);
  CHECK(shortest.broken.rule == "unfinished");
  REQUIRE(shortest.choices.size() == 2);  // the letter comes, and its answer is lost
  CHECK_FALSE(shortest.choices.front().rare);
  CHECK(shortest.choices.back().rare);
}

}  // namespace rhizome::explorer_test
