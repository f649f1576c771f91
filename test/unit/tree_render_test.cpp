#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "overlay/graphml.hpp"
#include "test/support/experiments.hpp"
#include "test/support/outcomes.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tree_render_test {

using core::PeerId;
using namespace scenarios;
using namespace tools;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

Outcome run() {
  return test::run_scenario(
      "peers.count = 30\nworkload.jobs = 20\nengine.kind = \"virtual\"\n"
      "[[scheduler]]\nuse = \"organic-grid\"\n");
}

}  // namespace

TEST_CASE("every drawing of a tree has its members and one edge fewer") {
  const Outcome outcome = run();
  const Tree tree = tree_at(outcome, Time::max());
  REQUIRE(tree.members() == 30);
  CHECK(count(dot_of(tree, outcome), " -> ") == 29);
  CHECK(count(graphml_of(tree, outcome), "<node ") == 30);
  CHECK(count(graphml_of(tree, outcome), "<edge ") == 29);
  CHECK(count(svg_of(tree, outcome, "a <title>"), "<title>peer ") == 30);
  CHECK(svg_of(tree, outcome, "a <title>").find("a &lt;title") != std::string::npos);
  CHECK(count(svg_of(tree, outcome, ""), "<desc>A tree of 30 of 30 peers") == 1);
}

// A tree of a stranger may be one chain.
TEST_CASE("a tree as deep as it has peers is drawn in proportion to them") {
  constexpr std::uint32_t peers = 120'000;
  const Outcome outcome = test::quiet_outcome(peers);
  Tree tree{.root = PeerId{0},
            .parent = std::vector<PeerId>(peers, core::no_peer),
            .depth = std::vector<std::optional<std::uint32_t>>(peers),
            .children = std::vector<std::vector<PeerId>>(peers)};
  for (std::uint32_t i = 0; i < peers; ++i) {
    tree.depth[i] = i;
    if (i > 0) tree.parent[i] = PeerId{i - 1};
    if (i > 0) tree.children[i - 1] = {PeerId{i}};
  }
  CHECK(text_of(tree, outcome, {}).size() < 200 * peers);
  CHECK(svg_of(tree, outcome, "").size() < 1000 * peers);
}

TEST_CASE("the measures of a tree count its moves by reason and its levels") {
  const Outcome outcome = run();
  const TreeMeasures measures = measure_tree(outcome, Time::max());
  CHECK(measures.moves.at("join") >= 29);
  std::size_t peers = 0;
  for (const DepthSpeed& level : measures.by_depth) peers += level.peers;
  CHECK(peers == 30);
  CHECK(measures.messages_per_move.value() > 0);
  CHECK(measure_tree(outcome, Time{}).moves.empty());
}

TEST_CASE("after a crash the tree settles, and the measures say when") {
  const Outcome outcome = test::run_scenario(
      "peers.count = 30\nworkload.jobs = 60\nengine.kind = \"virtual\"\n"
      "[[faults.event]]\nat = \"1s\"\npeer = 3\n[[faults.event]]\nat = \"1100ms\"\npeer = 7\n"
      "[[scheduler]]\nuse = \"organic-grid\"\n",
      1);
  const TreeMeasures measures = measure_tree(outcome, Time::max());
  REQUIRE(measures.settlings.size() == 2);
  CHECK(measures.settlings[0].crash == Time(std::chrono::seconds(1)));
  CHECK(measures.settlings[0].moves + measures.settlings[1].moves > 0);
}

}  // namespace rhizome::tree_render_test
