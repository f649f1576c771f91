#include "scenarios/outcome/invariants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agents/overlay_only.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::scenarios {

using namespace std::chrono_literals;
using core::nobody;
using core::PeerId;
using test::at;
using test::busy_outcome;
using test::quiet_outcome;
using test::say;

namespace facts = agents::facts;

namespace {

// The names of what is broken, each once.
std::vector<std::string> broken(const Outcome& outcome) {
  std::vector<std::string> names;
  for (const Violation& violation : check_invariants(outcome))
    if (std::find(names.begin(), names.end(), violation.invariant) == names.end())
      names.push_back(violation.invariant);
  return names;
}

using Names = std::vector<std::string>;

void join(Outcome& outcome, core::Duration when, std::uint32_t peer, std::uint32_t parent) {
  say(outcome, when, peer, facts::parent_changed, 0, PeerId{parent}, "join");
}

// 0 is the root, 1 and 2 its children, 3 a child of 2.
Outcome tree_outcome() {
  Outcome outcome = quiet_outcome(4);
  join(outcome, 1s, 1, 0);
  join(outcome, 2s, 2, 0);
  join(outcome, 3s, 3, 2);
  return outcome;
}

void follow(Outcome& outcome, core::Duration when, std::uint32_t peer, PeerId leader) {
  say(outcome, when, peer, facts::group_changed, 0, leader, "layout");
}
void link(Outcome& outcome, core::Duration when, std::uint32_t a, std::uint32_t b, bool on) {
  say(outcome, when, a, facts::leaders_linked, 0, PeerId{b}, "layout", on ? 1 : 0);
}

// 0 leads 1; 2 leads 3; the leaders know each other. 4 is no member, as a queue is not.
Outcome group_outcome() {
  Outcome outcome = quiet_outcome(5);
  for (const std::uint32_t leader : {0U, 2U}) {
    follow(outcome, 1s, leader, PeerId{leader});
    follow(outcome, 1s, leader + 1, PeerId{leader});
  }
  link(outcome, 1s, 0, 2, true);
  return outcome;
}

void crash(Outcome& outcome, core::Duration when, std::uint32_t peer) {
  outcome.faults.push_back({at(when), PeerId{peer}, core::Fault::Kind::crash});
  outcome.peers[peer].alive = false;
  outcome.peers[peer].finished = false;
}

}  // namespace

TEST_CASE("a run in which all went well breaks nothing") {
  CHECK(broken(busy_outcome()).empty());
  CHECK(broken(tree_outcome()).empty());
  CHECK(broken(group_outcome()).empty());
}

TEST_CASE("a packet that vanished breaks conservation") {
  Outcome outcome = busy_outcome();
  --outcome.peers[1].received;
  REQUIRE(broken(outcome) == Names{"conservation"});
  CHECK(check_invariants(outcome).front().text ==
        "8 packets were sent or duplicated, but 7 were received, dropped or in flight at the end");
  SUBCASE("unless it was dropped") {
    ++outcome.peers[1].drops[static_cast<std::size_t>(core::Drop::lost)];
    CHECK(broken(outcome).empty());
  }
  SUBCASE("unless it is in flight") {
    ++outcome.peers[1].in_flight;
    CHECK(broken(outcome).empty());
  }
}

TEST_CASE("a packet out of nowhere breaks conservation unless the link doubled it") {
  Outcome outcome = busy_outcome();
  ++outcome.peers[1].received;
  CHECK(broken(outcome) == Names{"conservation"});
  ++outcome.peers[0].duplicated;
  CHECK(broken(outcome).empty());
}

TEST_CASE("an address that does not resolve is named with its sender") {
  Outcome outcome = busy_outcome();
  ++outcome.peers[2].sent;
  ++outcome.peers[2].drops[static_cast<std::size_t>(core::Drop::unreachable)];
  REQUIRE(broken(outcome) == Names{"addresses-resolve"});
  CHECK(check_invariants(outcome).front().peer == PeerId{2});
}

TEST_CASE("a lost task is named with its last facts, and with the limit if there was one") {
  Outcome outcome = busy_outcome();
  outcome.facts.clear();
  say(outcome, 1s, 2, facts::task_started, agents::subject_of({1, 1}), nobody);
  outcome.tasks[3].completed = false;
  REQUIRE(broken(outcome) == Names{"no-task-lost"});
  CHECK(check_invariants(outcome).front().text ==
        "task 1.1 never completed; 1.000000 s peer 2 task-started");
  outcome.ending = core::Ending::limit;
  CHECK(check_invariants(outcome).front().text ==
        "task 1.1 never completed before the time limit; 1.000000 s peer 2 task-started");
}

TEST_CASE("an interrupted run owes no tasks, but conserves packets") {
  Outcome outcome = busy_outcome();
  outcome.ending = core::Ending::interrupted;
  outcome.tasks[3].completed = false;
  outcome.peers[1].finished = false;
  CHECK(broken(outcome).empty());
  ++outcome.peers[1].received;
  CHECK(broken(outcome) == Names{"conservation"});
}

TEST_CASE("a task that its source counted twice is wrong whatever the scheduler promises") {
  Outcome outcome = busy_outcome();
  outcome.tasks[0].completions = 2;
  CHECK(broken(outcome) == Names{"completes-once"});
  outcome.at_least_once = true;
  CHECK(broken(outcome) == Names{"completes-once"});
}

TEST_CASE("a second execution or result needs a fault or a scheduler that allows it") {
  for (const auto repeated : {&TaskOutcome::executions, &TaskOutcome::duplicates}) {
    Outcome outcome = busy_outcome();
    outcome.tasks[0].*repeated = 2;
    CHECK(broken(outcome) == Names{"completes-once"});

    Outcome promised = outcome;
    promised.at_least_once = true;
    CHECK(broken(promised).empty());

    Outcome crashed = outcome;
    crash(crashed, 1s, 2);
    CHECK(broken(crashed).empty());

    Outcome lossy = outcome;
    ++lossy.peers[0].sent;
    ++lossy.peers[0].drops[static_cast<std::size_t>(core::Drop::lost)];
    CHECK(broken(lossy).empty());
  }
}

TEST_CASE("what is armed or running after the end is counted") {
  Outcome outcome = busy_outcome();
  outcome.armed = 2;
  outcome.working = 1;
  const auto violations = check_invariants(outcome);
  REQUIRE(violations.size() == 2);
  CHECK(violations[0].text == "2 timers were still armed after the end");
  CHECK(violations[1].text == "1 pieces of work were still running after the end");
  CHECK(broken(outcome) == Names{"comes-to-rest"});
}

TEST_CASE("a view that holds what none may hold breaks an invariant") {
  Outcome outcome = quiet_outcome(2);
  say(outcome, 1s, 1, agents::view_broken, 0, PeerId{0}, "twice");
  CHECK(broken(outcome) == Names{"views-hold"});
  CHECK(check_invariants(outcome)[0].text == "a view of peer 1 is wrong at peer 0: twice");
}

TEST_CASE("a living peer must have finished, a dead one need not") {
  Outcome outcome = busy_outcome();
  outcome.peers[1].finished = false;
  CHECK(broken(outcome) == Names{"all-finish"});
  outcome.peers[1].alive = false;
  CHECK(broken(outcome).empty());
}

TEST_CASE("of many alike violations ten are told") {
  Outcome outcome = quiet_outcome(50);
  for (PeerOutcome& peer : outcome.peers) peer.finished = false;
  CHECK(check_invariants(outcome).size() == 10);
}

TEST_CASE("a cycle is no tree") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 2, 3);
  REQUIRE(broken(outcome) == Names{"tree"});
  const Violation first = check_invariants(outcome).front();
  CHECK(first.peer == PeerId{2});
  CHECK(first.text.starts_with("peer 2 hangs from a cycle in the tree of peer 0"));
  CHECK(first.text.ends_with("4.000000 s peer 2 parent-changed with peer 3 (join)"));
}

TEST_CASE("a peer that left the tree must not keep children") {
  Outcome outcome = tree_outcome();
  say(outcome, 4s, 2, facts::parent_changed, 0, nobody, "departure");
  REQUIRE(broken(outcome) == Names{"tree"});
  CHECK(check_invariants(outcome).front().peer == PeerId{3});
}

TEST_CASE("a root has no parent") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 0, 3);
  CHECK(broken(outcome) == Names{"tree"});
}

TEST_CASE("what changed within the settling time is not yet judged") {
  Outcome outcome = tree_outcome();
  join(outcome, 99s, 2, 3);
  CHECK(broken(outcome) == Names{"tree"});
  outcome.longest_delay = 500ms;
  CHECK(broken(outcome).empty());
}

TEST_CASE("a tree that the end of the run dissolved is judged as it stood before") {
  Outcome outcome = tree_outcome();
  say(outcome, 50s, 2, facts::parent_changed, 0, nobody, "termination");
  CHECK(broken(outcome).empty());
}

TEST_CASE("the children of a dead peer have time to notice, but not for ever") {
  Outcome outcome = tree_outcome();
  SUBCASE("shortly before the end") {
    crash(outcome, 80s, 2);
    CHECK(broken(outcome).empty());
  }
  SUBCASE("long before the end") {
    crash(outcome, 10s, 2);
    REQUIRE(broken(outcome) == Names{"tree"});
    CHECK(check_invariants(outcome).front().text.starts_with(
        "peer 3 hangs from peer 2, which is dead, in the tree of peer 0"));
    SUBCASE("unless they went elsewhere") {
      join(outcome, 20s, 3, 1);
      CHECK(broken(outcome).empty());
    }
  }
}

TEST_CASE("trees of several roots are judged each for itself") {
  Outcome outcome = tree_outcome();
  say(outcome, 5s, 0, facts::parent_changed, 3, PeerId{3}, "join");
  CHECK(broken(outcome).empty());
  say(outcome, 6s, 1, facts::parent_changed, 3, PeerId{2}, "join");
  CHECK(broken(outcome) == Names{"tree"});
}

TEST_CASE("a worker must follow somebody who leads") {
  Outcome outcome = group_outcome();
  SUBCASE("its leader became a worker") { follow(outcome, 5s, 2, PeerId{0}); }
  SUBCASE("it belongs to no group") { follow(outcome, 5s, 3, nobody); }
  SUBCASE("its leader is in no group") { follow(outcome, 5s, 3, PeerId{4}); }
  CHECK(broken(outcome) == Names{"groups"});
  CHECK(check_invariants(outcome).front().peer == PeerId{3});
}

TEST_CASE("leaders must be connected to each other") {
  Outcome outcome = group_outcome();
  link(outcome, 5s, 2, 0, false);
  REQUIRE(broken(outcome) == Names{"groups"});
  CHECK(check_invariants(outcome).front().text.starts_with("peer 2 is cut off from leader 0"));
  SUBCASE("unless the other has become a worker") {
    follow(outcome, 6s, 2, PeerId{0});
    follow(outcome, 6s, 3, PeerId{0});
    CHECK(broken(outcome).empty());
  }
  SUBCASE("unless that happened just now") {
    link(outcome, 99s, 0, 2, true);
    link(outcome, 99s, 0, 2, false);
    outcome.longest_delay = 500ms;
    CHECK(broken(outcome).empty());
  }
}

TEST_CASE("a leader that died long ago must have been replaced") {
  Outcome outcome = group_outcome();
  crash(outcome, 10s, 2);
  CHECK(broken(outcome) == Names{"groups"});
  follow(outcome, 12s, 3, PeerId{3});
  link(outcome, 12s, 3, 0, true);
  CHECK(broken(outcome).empty());
}

}  // namespace rhizome::scenarios
