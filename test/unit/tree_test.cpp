#include "scenarios/tree/tree.hpp"

#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "scenarios/tree/measures.hpp"

namespace rhizome {

using namespace scenarios;
using core::nobody;
using core::PeerId;

namespace {

namespace facts = agents::facts;

Time at(int seconds) { return Time(std::chrono::seconds(seconds)); }

FactOutcome fact_of(int seconds, std::uint32_t peer, std::string_view name) {
  FactOutcome fact;
  fact.at = at(seconds);
  fact.peer = PeerId{peer};
  fact.name = name;
  return fact;
}

FactOutcome moved(int seconds, std::uint32_t peer, PeerId to, std::string_view reason) {
  FactOutcome fact = fact_of(seconds, peer, facts::parent_changed);
  fact.other = to;
  fact.reason = reason;
  return fact;
}

FactOutcome grouped(std::uint32_t peer, std::uint32_t leader) {
  FactOutcome fact = fact_of(0, peer, facts::group_changed);
  fact.other = PeerId{leader};
  return fact;
}

// Peer 0 is the root; 1 and 2 join it, 3 joins 1 and is promoted to 0; at last all is dissolved.
Outcome grown() {
  Outcome outcome;
  outcome.peers.resize(5);
  outcome.ended = at(10);
  outcome.facts = {fact_of(0, 0, facts::task_submitted), moved(1, 1, PeerId{0}, "join"),
                   moved(1, 2, PeerId{0}, "join"),       moved(2, 3, PeerId{1}, "join"),
                   moved(4, 3, PeerId{0}, "promotion"),  moved(9, 3, nobody, "termination")};
  return outcome;
}

}  // namespace

TEST_CASE("the tree at a time is what the moves up to then made") {
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

TEST_CASE("a crashed peer leaves the tree, and those below it are outsiders") {
  Outcome outcome = grown();
  outcome.faults.push_back({.at = at(3), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  outcome.facts.erase(outcome.facts.begin() + 4, outcome.facts.end());
  const Tree tree = tree_at(outcome, Time::max());
  CHECK_FALSE(tree.depth[1].has_value());
  CHECK_FALSE(tree.depth[3].has_value());
  CHECK(tree.depth[2] == 1);
}

TEST_CASE("a crash is charged with the moves of its orphans and with no others") {
  Outcome outcome = grown();
  outcome.facts.resize(4);  // 3 is a child of 1
  outcome.faults.push_back({.at = at(3), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  outcome.faults.push_back({.at = at(4), .peer = PeerId{4}, .kind = core::Fault::Kind::crash});
  outcome.facts.push_back(moved(5, 3, nobody, "recovery"));
  outcome.facts.push_back(moved(6, 3, PeerId{0}, "recovery"));
  outcome.facts.push_back(moved(7, 2, PeerId{3}, "eviction"));
  outcome.facts.push_back(moved(8, 3, PeerId{2}, "promotion"));

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

TEST_CASE("who attaches to a crashed peer is an orphan of the crash") {
  Outcome outcome = grown();
  outcome.facts.resize(3);
  outcome.faults.push_back({.at = at(2), .peer = PeerId{1}, .kind = core::Fault::Kind::crash});
  outcome.facts.push_back(moved(3, 3, PeerId{1}, "join"));
  CHECK(settlings_of(outcome, at(3)).front().waiting == 1);
  outcome.facts.push_back(moved(4, 3, PeerId{2}, "recovery"));
  const auto after = settlings_of(outcome, Time::max());
  CHECK(after.front().orphans == 1);
  CHECK(after.front().waiting == 0);
  CHECK(after.front().took == std::chrono::seconds(2));
}

TEST_CASE("leaders hang below the queue and workers below their leader") {
  Outcome outcome = grown();
  outcome.facts.resize(1);
  outcome.facts.push_back(grouped(1, 1));
  outcome.facts.push_back(grouped(2, 1));
  const Tree tree = tree_at(outcome, Time::max());
  CHECK(tree.depth[1] == 1);
  CHECK(tree.depth[2] == 2);
}

TEST_CASE("where the layout puts a peer is no move of it") {
  Outcome outcome = grown();
  outcome.facts.resize(1);
  outcome.facts.push_back(grouped(1, 1));
  outcome.facts.back().reason = "layout";
  const TreeMeasures measures = measure_tree(outcome, Time::max());
  CHECK(measures.placed == 1);
  CHECK(measures.moves.empty());
  CHECK_FALSE(measures.messages_per_move.has_value());
}

TEST_CASE("rank correlation shares ranks between ties and says nothing of what does not vary") {
  CHECK(rank_correlation({1, 2, 3}, {10, 20, 30}).value() == doctest::Approx(1));
  CHECK(rank_correlation({1, 2, 3}, {3, 2, 1}).value() == doctest::Approx(-1));
  CHECK(rank_correlation({1, 2, 3, 4}, {1, 1, 2, 2}).value() == doctest::Approx(0.894427));
  CHECK_FALSE(rank_correlation({1, 2}, {5, 5}).has_value());
}

}  // namespace rhizome
