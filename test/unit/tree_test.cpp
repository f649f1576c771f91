#include "scenarios/outcome/tree.hpp"

#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "test/support/outcomes.hpp"
#include "tools/report/parts.hpp"
#include "tools/tree/measures.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tree_test {

using namespace scenarios;
using namespace tools;
using core::no_peer;
using core::PeerId;

namespace {

Time at(int seconds) { return Time(std::chrono::seconds(seconds)); }

void move(Outcome& outcome, int seconds, std::uint32_t peer, PeerId to, std::string reason) {
  test::say(outcome, std::chrono::seconds(seconds), peer,
            agents::ParentChanged{PeerId{0}, to, no_peer, std::move(reason)});
}
void group(Outcome& outcome, std::uint32_t peer, std::uint32_t leader, std::string reason = {}) {
  test::say(outcome, {}, peer, agents::GroupChanged{PeerId{leader}, std::move(reason)});
}

// Peer 0 is the root, and no other peer has a place.
Outcome planted() {
  Outcome outcome;
  outcome.peers.resize(5);
  outcome.ended = at(10);
  test::say(outcome, {}, 0, agents::TaskSubmitted{});
  return outcome;
}

// Peers 1 and 2 join the root.
Outcome two_joined() {
  Outcome outcome = planted();
  move(outcome, 1, 1, PeerId{0}, "join");
  move(outcome, 1, 2, PeerId{0}, "join");
  return outcome;
}

// As two_joined(); then peer 3 joins peer 1.
Outcome three_joined() {
  Outcome outcome = two_joined();
  move(outcome, 2, 3, PeerId{1}, "join");
  return outcome;
}

// Which is promoted to be a child of the root; at last all is dissolved.
Outcome grown() {
  Outcome outcome = three_joined();
  move(outcome, 4, 3, PeerId{0}, "promotion");
  move(outcome, 9, 3, no_peer, "termination");
  return outcome;
}

}  // namespace

TEST_CASE("the tree at a time is the result of the moves up to then") {
  const Outcome outcome = grown();
  const Tree before = tree_at(outcome, at(3));
  CHECK(before.root == PeerId{0});
  CHECK(before.depth[3] == 2);
  CHECK(before.height() == 2);
  CHECK_FALSE(before.depth[4].has_value());  // never joined
  const Tree after = tree_at(outcome, Time::max());
  CHECK(after.depth[3] == 1);
  CHECK(after.members() == 4);
  CHECK(after.children[0] == std::vector<PeerId>{PeerId{1}, PeerId{2}, PeerId{3}});
}

TEST_CASE("moves carry their reason, and the end is no move") {
  const auto moves = moves_until(grown(), Time::max());
  REQUIRE(moves.size() == 4);
  CHECK(moves.back().reason == "promotion");
  CHECK(moves.back().from == PeerId{1});
  CHECK(moves.back().to == PeerId{0});
}

TEST_CASE("a crashed peer leaves the tree, and its descendants are outsiders") {
  Outcome outcome = three_joined();
  outcome.faults.push_back({.at = at(3), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  const Tree tree = tree_at(outcome, Time::max());
  CHECK_FALSE(tree.depth[1].has_value());
  CHECK_FALSE(tree.depth[3].has_value());
  CHECK(tree.depth[2] == 1);
}

TEST_CASE("a crash is charged with the moves of its orphans and with no others") {
  Outcome outcome = three_joined();
  outcome.faults.push_back({.at = at(3), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  outcome.faults.push_back({.at = at(4), .peer = PeerId{4}, .kind = core::Fault::Kind::crash});
  move(outcome, 5, 3, no_peer, "recovery");
  move(outcome, 6, 3, PeerId{0}, "recovery");
  move(outcome, 7, 2, PeerId{3}, "eviction");
  move(outcome, 8, 3, PeerId{2}, "promotion");

  const auto during = settlings_of(outcome, at(5));
  REQUIRE(during.size() == 2);
  CHECK(during[0].waiting == 1);
  const auto after = settlings_of(outcome, Time::max());
  CHECK(after[0].orphans == 1);
  CHECK(after[0].moves == 2);
  CHECK(after[0].waiting == 0);
  CHECK(after[0].took == std::chrono::seconds(3));
  CHECK(after[1].orphans == 0);  // it had no children
  CHECK(after[1].moves == 0);
}

TEST_CASE("a peer that attaches to a crashed one is an orphan of the crash") {
  Outcome outcome = two_joined();
  outcome.faults.push_back({.at = at(2), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  move(outcome, 3, 3, PeerId{1}, "join");
  CHECK(settlings_of(outcome, at(3)).front().waiting == 1);
  move(outcome, 4, 3, PeerId{2}, "recovery");
  const auto after = settlings_of(outcome, Time::max());
  CHECK(after.front().orphans == 1);
  CHECK(after.front().waiting == 0);
  CHECK(after.front().took == std::chrono::seconds(2));
}

TEST_CASE("leaders hang below the queue and workers below their leader") {
  Outcome outcome = planted();
  group(outcome, 1, 1);
  group(outcome, 2, 1);
  const Tree tree = tree_at(outcome, Time::max());
  CHECK(tree.depth[1] == 1);
  CHECK(tree.depth[2] == 2);
}

TEST_CASE("a place of the initial layout is no move") {
  Outcome outcome = planted();
  group(outcome, 1, 1, "layout");
  const TreeMeasures measures = measure_tree(outcome, Time::max());
  CHECK(measures.placed == 1);
  CHECK(measures.moves.empty());
  CHECK_FALSE(measures.messages_per_move.has_value());
}

TEST_CASE("rank correlation shares ranks between ties and is undefined for constant values") {
  CHECK(rank_correlation({1, 2, 3}, {10, 20, 30}).value() == doctest::Approx(1));
  CHECK(rank_correlation({1, 2, 3}, {3, 2, 1}).value() == doctest::Approx(-1));
  CHECK(rank_correlation({1, 2, 3, 4}, {1, 1, 2, 2}).value() == doctest::Approx(0.894427));
  CHECK_FALSE(rank_correlation({1, 2}, {5, 5}).has_value());
}

TEST_CASE("a report describes in a sentence the form of a tree, groups or an overlay") {
  CHECK(structure_text(planted()).empty());
  CHECK(structure_text(three_joined()) ==
        "The last tree has 4 peers in 2 levels below its root, peer 0; a parent has 1.5 children "
        "in the mean, and 2 at most; 1 peer outside of it.");
  Outcome groups = planted();
  for (const auto& [peer, leader] : {std::pair{1U, 1U}, {2U, 1U}, {3U, 1U}, {4U, 4U}})
    group(groups, peer, leader);
  CHECK(structure_text(groups) ==
        "The last structure has 2 groups below the queue, peer 0; a leader has 1.0 workers in the "
        "mean, and 2 at most.");
  Outcome hybrid = two_joined();
  group(hybrid, 1, 1);
  CHECK(structure_text(hybrid).find("; in the course of the run 1 peer led a group.") !=
        std::string::npos);
  Outcome overlay = planted();
  for (const auto& [peer, known] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 2U}})
    test::say(overlay, std::chrono::seconds(1), peer, agents::LinkHeld{PeerId{known}});
  CHECK(structure_text(overlay) ==
        "The last overlay has 2 peers; a peer has 1.5 links in the mean, and 2 at most, and 2 "
        "peers have a link to it at most.");
}

TEST_CASE("the links of an overlay are drawn, those of dead peers apart") {
  Outcome overlay = planted();
  for (const auto& [peer, known] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 2U}, {4U, 3U}})
    test::say(overlay, std::chrono::seconds(1), peer, agents::LinkHeld{PeerId{known}});
  overlay.faults.push_back({at(0), PeerId{4}, core::Fault::Kind::crash});
  const HeldLinks held = held_links(overlay);
  CHECK(text_of(held) ==
        "0 knows 1 2\n1 knows 2\n4 knows 3\n"
        "3 links of 4 living peers, 0.75 a peer, who is known by 0 to 2\n");
  CHECK(dot_of(held).find("  4 [style=dotted];\n  0 -> 1;\n") != std::string::npos);
  CHECK(graphml_of(held).find("<node id=\"4\"><data key=\"alive\">false</data></node>") !=
        std::string::npos);
  const std::string svg = svg_of(held, "ring & others");
  CHECK(svg.find("<title>ring &amp; others</title>") != std::string::npos);
  CHECK(svg.find("peer 4, known by 0, down") != std::string::npos);
  std::size_t lines = 0;
  for (std::size_t i = 0; (i = svg.find("<line ", i)) != std::string::npos; ++i) ++lines;
  CHECK(lines == 3);
}

}  // namespace rhizome::tree_test
