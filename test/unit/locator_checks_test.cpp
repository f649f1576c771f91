// Invariants of tasks that locators find: a correct history, and for each invariant a history that
// breaks it and no other.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agents/locator/facts.hpp"
#include "scenarios/outcome/findings.hpp"
#include "test/support/violations.hpp"

namespace rhizome::scenarios::locator_checks_test {

using namespace agents::locator;
using namespace std::chrono_literals;
using agents::TaskId;
using agents::TaskStarted;
using core::PeerId;
using test::Names;
using test::say;

namespace {

const TaskId giver{0, 0};
const TaskId mover{0, 1};

// Facts by the second; each test adds its own in between.
struct History {
  Outcome outcome = test::quiet_outcome(4);
  core::Duration now = 0s;

  template <class F>
  History& at(std::uint32_t peer, F fact) {
    say(outcome, now += 1s, peer, std::move(fact));
    return *this;
  }
  // Both enter at peer 0, and the mover needs the giver.
  History& enter() {
    at(0, LocatorStarted{.forwards = true, .sweeps = true});
    at(0, DatumPromised{mover, giver, PeerId{0}, 0, 10});
    at(0, TaskSettled{giver, 0, 0});
    return at(0, TaskSettled{mover, 0, 1});
  }
  // The mover, in epochs 0, 1, 2 at peers 0, 1, 2.
  History& move(std::uint32_t from, Epoch epoch) {
    at(from, TaskLeft{mover, PeerId{from + 1}, epoch});
    at(from + 1, TaskSettled{mover, epoch, 1});
    at(from, MoveEnded{mover});
    return at(from, ForwarderLeft{mover, PeerId{from + 1}, epoch});
  }
  History& give(std::uint32_t at_peer) {
    at(0, DatumSent{mover, giver, PeerId{0}, 0, false});
    return at(at_peer, DatumGiven{mover, giver, at_peer + 1});
  }
  History& begin(std::uint32_t peer) { return at(peer, TaskStarted{mover}); }
  History& sweep(std::uint32_t peer) { return at(peer, ForwarderGone{mover}); }

  // The task comes to a peer with a forwarder to it, which is removed at that moment.
  History& come_back(std::uint32_t peer, Epoch epoch, std::uint32_t awaits) {
    sweep(peer);
    say(outcome, now, peer, TaskSettled{mover, epoch, awaits});
    return *this;
  }
  // It is placed again at peer 0, goes to peer 3, and the forwarder to there goes at once. Beyond a
  // cut a former copy is left.
  History& place_again(std::uint32_t awaits) {
    come_back(0, generation, awaits).at(0, TaskLeft{mover, PeerId{3}, generation + 1});
    at(3, TaskSettled{mover, generation + 1, awaits}).at(0, MoveEnded{mover});
    return at(0, ForwarderLeft{mover, PeerId{3}, generation + 1}).sweep(0);
  }

  [[nodiscard]] Names broken() {
    outcome.facts.sort();
    Findings findings(outcome);
    check_locators(outcome, findings);
    violations = findings.take().violations;
    Names names;
    for (const Violation& each : violations)
      if (std::find(names.begin(), names.end(), each.invariant) == names.end())
        names.push_back(each.invariant);
    return names;
  }
  std::vector<Violation> violations{};
};

History moved_twice() {
  History history;
  history.enter().move(0, 1).move(1, 2);
  return history;
}

}  // namespace

TEST_CASE("a task that moves, is found and begins breaks nothing") {
  CHECK(moved_twice().give(2).begin(2).sweep(0).sweep(1).broken().empty());
}

TEST_CASE("a task in the same epoch at two peers is told with the peer, the time and the history") {
  History history = moved_twice().give(2);
  history.at(3, TaskSettled{mover, 2, 0}).sweep(0).sweep(1);
  REQUIRE(history.broken() == Names{"one-copy"});
  CHECK(history.violations.front().peer == PeerId{3});
  CHECK(history.violations.front().at == test::at(15s));
  const std::string text = history.violations.front().text;
  CHECK(text.starts_with("task 0.1 is twice in epoch 2"));
  CHECK(text.find("task-left") != std::string::npos);
  CHECK(text.find("datum-given") != std::string::npos);
  SUBCASE("unless a peer restarted, which may take a move once more") {
    history.outcome.peers[3].restarts = 1;
    CHECK(history.broken().empty());
  }
}

TEST_CASE("a task comes from where it was, and nowhere else") {
  History history;
  history.enter().at(1, TaskSettled{mover, 1, 1});
  CHECK(history.broken() == Names{"one-copy"});
  History gone;
  gone.enter().at(2, TaskLeft{mover, PeerId{1}, 1}).at(1, TaskSettled{mover, 1, 1});
  gone.at(2, MoveEnded{mover});
  CHECK(gone.broken() == Names{"one-copy"});
  History back;
  back.enter().at(0, TaskLeft{mover, PeerId{1}, 1}).at(0, MoveEnded{mover});
  back.at(0, TaskSettled{mover, 1, 1});
  CHECK(back.broken().empty());
}

TEST_CASE("a datum that goes where no forwarder leads to its task breaks the chain") {
  History history;
  history.enter().at(0, TaskLeft{mover, PeerId{1}, 1}).at(1, TaskSettled{mover, 1, 1});
  history.at(0, MoveEnded{mover}).give(1).begin(1);
  CHECK(history.broken() == Names{"chains-lead"});
  SUBCASE("but where a peer died it may") {
    history.outcome.peers[3].restarts = 1;
    CHECK(history.broken().empty());
  }
}

TEST_CASE("a forwarder whose version does not rise leads back") {
  History history;
  history.enter().at(0, TaskLeft{mover, PeerId{1}, 1}).at(1, TaskSettled{mover, 1, 1});
  history.at(0, MoveEnded{mover}).at(0, ForwarderLeft{mover, PeerId{1}, 0}).give(1);
  history.begin(1).sweep(0);
  CHECK(history.broken() == Names{"chains-lead"});
}

TEST_CASE("a datum is given once, to the task that needs it, before it begins") {
  SUBCASE("not twice") {
    History history = moved_twice().give(2);
    history.at(2, DatumGiven{mover, giver, 3}).sweep(0).sweep(1);
    CHECK(history.broken() == Names{"data-once"});
  }
  SUBCASE("not after it began") {
    History history = moved_twice().begin(2).give(2);
    history.sweep(0).sweep(1);
    CHECK(history.broken() == Names{"data-once"});
  }
  SUBCASE("not where it is not") {
    History history = moved_twice().begin(0).give(2);
    history.begin(2).sweep(0).sweep(1);
    CHECK(history.broken() == Names{"data-once"});
  }
}

TEST_CASE("an address of an epoch to come, or no newer than the former, is not true") {
  for (const Epoch version : {5, 2, 1}) {
    History history = moved_twice();
    history.at(0, AddressLearned{mover, giver, PeerId{2}, 2, 0});
    history.at(0, AddressLearned{mover, giver, PeerId{2}, version, 2}).give(2).begin(2);
    history.sweep(0).sweep(1);
    CHECK(history.broken() == Names{"addresses-true"});
  }
  History turned = moved_twice().give(2).begin(2);
  turned.at(0, ForwarderTurned{mover, PeerId{2}, 1}).sweep(0).sweep(1);
  CHECK(turned.broken() == Names{"addresses-true"});
}

TEST_CASE("two copies of a task at one peer learn of an address each for itself") {
  History history = moved_twice();
  history.at(0, AddressLearned{mover, giver, PeerId{2}, 2, 0});
  history.at(0, AddressLearned{mover, giver, PeerId{2}, 2, 1}).give(2).begin(2);
  CHECK(history.sweep(0).sweep(1).broken().empty());
}

TEST_CASE("an address gives way to an older one only of a former copy, where that was") {
  const auto broken = [](PeerId at, Epoch version) {
    History history = moved_twice();
    history.at(3, TaskSettled{mover, generation, 1});
    history.at(3, TaskLeft{mover, PeerId{0}, generation + 1});
    history.come_back(0, generation + 1, 1).at(3, MoveEnded{mover});
    history.at(0, AddressLearned{mover, giver, PeerId{0}, generation + 1, 0});
    history.at(0, AddressLearned{mover, giver, at, version, generation + 1});
    return history.give(0).begin(0).sweep(1).broken();
  };
  CHECK(broken(PeerId{2}, 2).empty());
  CHECK(broken(PeerId{3}, 2) == Names{"addresses-true"});
  CHECK(broken(PeerId{3}, generation) == Names{"addresses-true"});
}

TEST_CASE("a former copy's address is known at the end of the moment in which it is learned") {
  History history = moved_twice();
  history.at(3, TaskSettled{mover, generation, 1});
  history.at(3, TaskLeft{mover, PeerId{0}, generation + 1});
  history.come_back(0, generation + 1, 1).at(3, MoveEnded{mover});
  history.at(0, AddressLearned{mover, giver, PeerId{0}, generation + 1, 0});
  history.at(2, TaskLeft{mover, PeerId{3}, 3});
  history.at(0, AddressLearned{mover, giver, PeerId{3}, 3, generation + 1});
  say(history.outcome, history.now, 3, TaskSettled{mover, 3, 1});
  history.at(2, MoveEnded{mover});
  CHECK(history.give(0).begin(0).sweep(1).broken().empty());
}

TEST_CASE("no peer has a task and a forwarder to it, or two forwarders") {
  SUBCASE("the task comes to its forwarder") {
    History history = moved_twice();
    history.at(2, TaskLeft{mover, PeerId{0}, 3}).at(0, TaskSettled{mover, 3, 1});
    history.at(2, MoveEnded{mover}).at(2, ForwarderLeft{mover, PeerId{0}, 3});
    history.give(0).begin(0).sweep(1).sweep(2);
    CHECK(history.broken() == Names{"one-forwarder"});
  }
  SUBCASE("a second forwarder") {
    History history = moved_twice().give(2).begin(2);
    history.at(0, ForwarderLeft{mover, PeerId{2}, 2}).sweep(0).sweep(1);
    CHECK(history.broken() == Names{"one-forwarder"});
  }
}

TEST_CASE("more forwarders than peers that a task left are too many") {
  History history = moved_twice();
  history.at(3, ForwarderLeft{mover, PeerId{2}, 2}).give(2).begin(2);
  history.sweep(0).sweep(1).sweep(3);
  CHECK(history.broken() == Names{"few-forwarders"});
}

TEST_CASE("a forwarder that a datum may still come by is not removed") {
  History history = moved_twice().sweep(1);
  history.at(0, AddressLearned{mover, giver, PeerId{2}, 2, 0});
  history.at(0, DatumSent{mover, giver, PeerId{2}, 2, false});
  history.at(2, DatumGiven{mover, giver, 1}).begin(2).sweep(0);
  CHECK(history.broken() == Names{"removal-in-time"});
}

TEST_CASE("data that a task placed again takes along are not sent to it") {
  SUBCASE("so that its forwarders may go") {
    History history = moved_twice().at(0, DatumTakenAlong{mover, giver, generation});
    CHECK(history.place_again(0).begin(3).sweep(1).broken().empty());
  }
  SUBCASE("but other data that it needs still find their way") {
    History history = moved_twice().at(0, DatumTakenAlong{mover, TaskId{0, 2}, generation});
    CHECK(history.place_again(1).sweep(1).broken() == Names{"removal-in-time"});
  }
  SUBCASE("and data that only a former copy was given find their way, too") {
    History history = moved_twice().give(2);
    history.at(0, DatumPromised{mover, giver, PeerId{0}, 0, 10});
    CHECK(history.place_again(1).sweep(1).broken() == Names{"removal-in-time"});
  }
  SUBCASE("unless that has begun") {
    History history = moved_twice().give(2).begin(2);
    history.at(0, DatumPromised{mover, giver, PeerId{0}, 0, 10});
    CHECK(history.place_again(1).sweep(1).broken().empty());
  }
  SUBCASE("nor are they given once more") {
    History history = moved_twice().at(0, DatumTakenAlong{mover, giver, generation});
    history.place_again(1).at(3, DatumGiven{mover, giver, 1}).begin(3).sweep(1);
    CHECK(history.broken() == Names{"data-once"});
  }
}

TEST_CASE("at the end nothing is left that was to go, and nothing waits") {
  SUBCASE("no forwarder") {
    History history = moved_twice().give(2).begin(2).sweep(0);
    CHECK(history.broken() == Names{"nothing-waits"});
    history.outcome.ending = core::Ending::limit;
    CHECK(history.broken().empty());
  }
  SUBCASE("no task under way") {
    History history = moved_twice().give(2).begin(2).sweep(0).sweep(1);
    history.at(0, TaskLeft{giver, PeerId{1}, 1});
    CHECK(history.broken() == Names{"nothing-waits"});
  }
  SUBCASE("nothing that looks for one") {
    History history = moved_twice().give(2).begin(2).sweep(0).sweep(1);
    history.at(3, SearchHeld{mover, giver});
    CHECK(history.broken() == Names{"nothing-waits"});
    history.at(3, SearchReleased{mover, giver});
    CHECK(history.broken().empty());
  }
}

TEST_CASE("a forwarder may go at the moment at which the message that it waited for was sent") {
  History history;
  history.enter().move(0, 1);
  history.now += 1s;
  say(history.outcome, history.now, 0, ForwarderGone{mover});
  say(history.outcome, history.now, 2, DatumSent{mover, giver, PeerId{0}, 0, false});
  say(history.outcome, history.now, 3, DatumGiven{mover, giver, 2});
  const Names names = history.broken();
  CHECK(std::find(names.begin(), names.end(), "chains-lead") == names.end());
}

}  // namespace rhizome::scenarios::locator_checks_test
