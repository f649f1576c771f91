// The invariants of trees and groups.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test/support/violations.hpp"

namespace rhizome::scenarios::structures_test {

using namespace std::chrono_literals;
using core::no_peer;
using core::PeerId;
using test::at;
using test::broken;
using test::crash;
using test::Names;
using test::quiet_outcome;
using test::say;

namespace {

void join(Outcome& outcome, core::Duration when, std::uint32_t peer, std::uint32_t parent) {
  say(outcome, when, peer, agents::ParentChanged{PeerId{0}, PeerId{parent}, no_peer, "join"});
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
  say(outcome, when, peer, agents::GroupChanged{leader, "layout"});
}
void link(Outcome& outcome, core::Duration when, std::uint32_t a, std::uint32_t b, bool on) {
  say(outcome, when, a, agents::LeadersLinked{PeerId{b}, on});
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

}  // namespace

TEST_CASE("a tree and groups that stand as they should break nothing") {
  CHECK(broken(tree_outcome()).empty());
  CHECK(broken(group_outcome()).empty());
}

TEST_CASE("a cycle is no tree") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 2, 3);
  REQUIRE(broken(outcome) == Names{"tree"});
  const Violation first = examine(outcome).violations.front();
  CHECK(first.peer == PeerId{2});
  CHECK(first.text.starts_with("peer 2 hangs from a cycle in the tree of peer 0"));
  CHECK(first.text.ends_with(
      "4.000000 s peer 2 parent-changed (root peer 0, parent peer 3, former nobody, reason join)"));
}

TEST_CASE("a peer that speaks in the moment in which it dies is dead from then on") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 3, 1);
  crash(outcome, 4s, 3);
  CHECK(broken(outcome).empty());
  Outcome groups = quiet_outcome(3);
  for (const std::uint32_t peer : {0U, 1U, 2U}) follow(groups, 0s, peer, PeerId{0});
  say(groups, 0s, 1, agents::GroupChanged{PeerId{1}, "layout"});
  crash(groups, 0s, 1);
  CHECK(broken(groups).empty());
}

TEST_CASE("a peer that left the tree must not keep children") {
  Outcome outcome = tree_outcome();
  say(outcome, 4s, 2, agents::ParentChanged{PeerId{0}, no_peer, no_peer, "departure"});
  REQUIRE(broken(outcome) == Names{"tree"});
  CHECK(examine(outcome).violations.front().peer == PeerId{3});
}

TEST_CASE("a structure that is broken in an invalid run on threads is not reported") {
  Outcome tree = tree_outcome();
  join(tree, 4s, 2, 3);
  Outcome groups = group_outcome();
  follow(groups, 10s, 1, no_peer);
  for (Outcome* outcome : {&tree, &groups}) {
    CHECK_FALSE(broken(*outcome).empty());
    outcome->validity.level = Validity::Level::suspect;
    CHECK_FALSE(broken(*outcome).empty());
    outcome->validity.level = Validity::Level::invalid;
    CHECK(broken(*outcome).empty());
  }
}

TEST_CASE("a root has no parent") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 0, 3);
  CHECK(broken(outcome) == Names{"tree"});
}

TEST_CASE("a cycle is wrong even if it does not last") {
  Outcome outcome = tree_outcome();
  join(outcome, 4s, 2, 3);
  SUBCASE("for a while") {
    join(outcome, 4500ms, 2, 0);
    REQUIRE(broken(outcome) == Names{"tree"});
    CHECK(examine(outcome).violations.front().at == at(4s));
  }
  SUBCASE("unless both happened at one instant") {
    join(outcome, 4s, 2, 0);
    CHECK(broken(outcome).empty());
  }
  SUBCASE("unless peers follow a fault, which they have time to notice") {
    join(outcome, 20s, 2, 0);
    ++outcome.peers[0].sent;
    ++outcome.peers[0].drops[static_cast<std::size_t>(core::Drop::lost)];
    CHECK(broken(outcome).empty());
    outcome.patience.notice = 10s;
    CHECK(broken(outcome) == Names{"tree"});
  }
}

TEST_CASE("an orphan may look for a parent for as long as its scheduler says, and no longer") {
  Outcome outcome = tree_outcome();
  outcome.patience = {.notice = 2s, .mend = 10s};
  crash(outcome, 10s, 2);
  say(outcome, 11s, 3, agents::ParentChanged{PeerId{0}, no_peer, no_peer, "recovery"});
  SUBCASE("in time") {
    join(outcome, 20s, 3, 1);
    CHECK(broken(outcome).empty());
  }
  SUBCASE("too late, though all is well in the end") {
    join(outcome, 22s, 3, 1);
    REQUIRE(broken(outcome) == Names{"tree"});
    CHECK(examine(outcome).violations.front().at == at(21s));
    CHECK(examine(outcome).violations.front().text.starts_with(
        "peer 3 has no parent in the tree of peer 0"));
  }
  SUBCASE("too late, but for a cut of the network") {
    join(outcome, 22s, 3, 1);
    outcome.cuts = {{at(9s), at(15s)}};
    CHECK(broken(outcome).empty());
  }
  SUBCASE("or gives up") {
    say(outcome, 20s, 3, agents::RunFailed{PeerId{0}, "root out of reach"});
    CHECK(broken(outcome).empty());
  }
}

TEST_CASE("errors in the middle of a run are reported, however well it ends") {
  Outcome outcome = group_outcome();
  outcome.patience = {.notice = 5s, .mend = 10s};
  crash(outcome, 10s, 2);
  follow(outcome, 16s, 3, PeerId{0});
  REQUIRE(broken(outcome) == Names{"groups"});
  CHECK(examine(outcome).violations.front().at == at(15s));
}

TEST_CASE("a structure that stood still for too short a time to be judged is not said to hold") {
  Outcome outcome = tree_outcome();
  CHECK(examine(outcome).judged == std::vector<Judged>{{"tree", 99s + 98s + 97s, 99s + 98s + 97s}});
  crash(outcome, 99s, 2);
  outcome.patience = {.notice = 2s, .mend = 10s};
  // Of the crashed peer until then; peer 1 to the end; peer 3 until and after its parent is gone.
  CHECK(examine(outcome).judged == std::vector<Judged>{{"tree", 97s + 95s + 94s, 99s + 97s + 97s}});
  outcome.patience = {};
  outcome.ended = at(30s);
  outcome.faults.front().at = at(20s);
  const Judged none = examine(outcome).judged.front();
  CHECK(none.judged == 0s);
  CHECK(none.share() == 0);
  CHECK(examine(quiet_outcome(2)).judged.empty());
}

TEST_CASE("a tree that the end of the run dissolved is judged as it stood before") {
  Outcome outcome = tree_outcome();
  say(outcome, 50s, 2, agents::ParentChanged{PeerId{0}, no_peer, no_peer, "termination"});
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
    CHECK(examine(outcome).violations.front().text.starts_with(
        "peer 3 hangs from peer 2, which is dead, in the tree of peer 0"));
    SUBCASE("unless they went elsewhere") {
      join(outcome, 20s, 3, 1);
      CHECK(broken(outcome).empty());
    }
  }
}

TEST_CASE("trees of several roots are judged each for itself") {
  Outcome outcome = tree_outcome();
  say(outcome, 5s, 0, agents::ParentChanged{PeerId{3}, PeerId{3}, no_peer, "join"});
  CHECK(broken(outcome).empty());
  say(outcome, 6s, 1, agents::ParentChanged{PeerId{3}, PeerId{2}, no_peer, "join"});
  CHECK(broken(outcome) == Names{"tree"});
}

TEST_CASE("where messages queue, a worker may follow a former leader for longer") {
  Outcome outcome = group_outcome();
  outcome.patience.notice = 5s;
  follow(outcome, 10s, 2, PeerId{0});
  follow(outcome, 14s, 3, PeerId{0});
  CHECK(broken(outcome) == Names{"groups"});
  outcome.queueing = true;
  CHECK(broken(outcome).empty());
}

TEST_CASE("a worker may follow one whose thread has not begun, and no longer than it stalls") {
  Outcome outcome = quiet_outcome(2);
  outcome.identity.engine = "threads";
  follow(outcome, 0s, 1, PeerId{0});
  follow(outcome, 3s, 0, PeerId{0});
  outcome.stalls = {{PeerId{0}, at(0s), at(1s)}};
  CHECK(broken(outcome) == Names{"groups"});
  outcome.stalls = {{PeerId{0}, at(0s), at(3s)}};
  CHECK(broken(outcome).empty());
}

TEST_CASE("a worker must follow a peer that leads") {
  Outcome outcome = group_outcome();
  SUBCASE("its leader became a worker") { follow(outcome, 5s, 2, PeerId{0}); }
  SUBCASE("it belongs to no group") { follow(outcome, 5s, 3, no_peer); }
  SUBCASE("its leader is in no group") { follow(outcome, 5s, 3, PeerId{4}); }
  CHECK(broken(outcome) == Names{"groups"});
  CHECK(examine(outcome).violations.front().peer == PeerId{3});
}

TEST_CASE("leaders cut off from each other in a tree of leaders, which has no edges") {
  Outcome outcome = group_outcome();
  link(outcome, 5s, 2, 0, false);
  join(outcome, 1s, 2, 0);
  CHECK(broken(outcome).empty());
}

TEST_CASE("leaders must be connected to each other") {
  Outcome outcome = group_outcome();
  link(outcome, 5s, 2, 0, false);
  SUBCASE("always") {
    REQUIRE(broken(outcome) == Names{"leaders"});
    CHECK(examine(outcome).violations.front().text.starts_with("peer 0 is cut off from leader 2"));
  }
  SUBCASE("unless the other has become a worker") {
    outcome.longest_delay = 500ms;
    follow(outcome, 6s, 2, PeerId{0});
    follow(outcome, 6s, 3, PeerId{0});
    CHECK(broken(outcome).empty());
  }
  SUBCASE("but for the time that a message needs") {
    outcome.longest_delay = 500ms;
    SUBCASE("in time") {
      link(outcome, 6s, 0, 2, true);
      CHECK(broken(outcome).empty());
    }
    SUBCASE("too late") {
      link(outcome, 8s, 0, 2, true);
      CHECK(broken(outcome) == Names{"leaders"});
    }
  }
}

TEST_CASE("leaders that stood for long are not blamed for one that has just begun to lead") {
  Outcome outcome = group_outcome();
  outcome.longest_delay = 500ms;
  follow(outcome, 5s, 3, PeerId{3});
  SUBCASE("in time") {
    link(outcome, 6s, 2, 3, true);
    CHECK(broken(outcome).empty());
  }
  SUBCASE("too late") {
    link(outcome, 8s, 2, 3, true);
    CHECK(broken(outcome) == Names{"leaders"});
  }
}

TEST_CASE("a leader that died long ago must have been replaced") {
  Outcome outcome = group_outcome();
  crash(outcome, 10s, 2);
  CHECK(broken(outcome) == Names{"groups"});
  CHECK(examine(outcome).judged.size() == 2);
  follow(outcome, 12s, 3, PeerId{3});
  link(outcome, 12s, 3, 0, true);
  CHECK(broken(outcome).empty());
}

}  // namespace rhizome::scenarios::structures_test
