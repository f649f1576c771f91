#include "tools/tree/render.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace rhizome::tools {

namespace {

using core::PeerId;

std::string number(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

std::string name_of(PeerId peer) { return std::to_string(peer.value); }

std::string place(PeerId peer) {
  return peer == core::no_peer ? "outside" : "peer " + name_of(peer);
}

// A chain of very many peers would be a text of the square of their number.
constexpr std::size_t most_indented = 40;  // levels

void add_subtree(std::string& text, const Tree& tree, const Outcome& outcome, PeerId top) {
  std::vector<PeerId> stack{top};
  while (!stack.empty()) {
    const PeerId peer = stack.back();
    stack.pop_back();
    const std::size_t depth = tree.depth[peer.value].value_or(0);
    text += std::string(2 * std::min(depth, most_indented), ' ') + name_of(peer) + "  speed " +
            number(outcome.peers[peer.value].speed, 2) +
            (depth > most_indented ? "  depth " + std::to_string(depth) : "") + "\n";
    const auto& children = tree.children[peer.value];
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
}

std::string settling_text(const Settling& settling) {
  std::string text = "crash of peer " + name_of(settling.peer) + " at " +
                     number(core::seconds(settling.crash - Time{}), 3) + " s: ";
  if (settling.orphans == 0) return text + "no children\n";
  text += std::to_string(settling.orphans) + (settling.orphans == 1 ? " orphan, " : " orphans, ") +
          std::to_string(settling.moves) + (settling.moves == 1 ? " move" : " moves");
  if (settling.moves > 0)
    text += ", the last after " + number(core::seconds(settling.took), 3) + " s";
  if (settling.waiting > 0)
    text += "; " + std::to_string(settling.waiting) + " still without a parent";
  return text + "\n";
}

void add_measures(std::string& text, const TreeMeasures& measures) {
  text += "\ndepth  peers  mean speed\n";
  for (const DepthSpeed& level : measures.by_depth)
    text += fmt::format("{:5}  {:5}  {:10.3f}\n", level.depth, level.peers, level.mean_speed);
  if (measures.correlation)
    text += "rank correlation of speed and depth: " + number(*measures.correlation, 3) + "\n";
  if (measures.placed > 0)
    text += "placed by the layout: " + std::to_string(measures.placed) + "\n";
  for (const auto& [reason, count] : measures.moves)
    text += "moves, " + reason + ": " + std::to_string(count) +
            (measures.minutes > 0
                 ? ", " + number(static_cast<double>(count) / measures.minutes, 1) + " a minute"
                 : "") +
            "\n";
  if (measures.messages_per_move)
    text += "messages per move: " + number(*measures.messages_per_move, 1) + "\n";
  for (const Settling& settling : measures.settlings) text += settling_text(settling);
}

template <class F>
void for_each_edge(const Tree& tree, F f) {
  for (std::uint32_t i = 0; i < tree.parent.size(); ++i)
    if (tree.depth[i] && tree.parent[i] != core::no_peer) f(tree.parent[i], PeerId{i});
}

}  // namespace

std::string text_of(const Tree& tree, const Outcome& outcome, const TreeMeasures& measures) {
  std::string text;
  if (tree.root != core::no_peer) add_subtree(text, tree, outcome, tree.root);
  const std::size_t outsiders = tree.depth.size() - tree.members();
  if (outsiders > 0) text += std::to_string(outsiders) + " peers are outside of the tree\n";
  add_measures(text, measures);
  return text;
}

std::string text_of(const std::vector<TreeMove>& moves) {
  std::string text;
  for (const TreeMove& move : moves)
    text += number(core::seconds(move.at - Time{}), 6) + " s  peer " + name_of(move.peer) +
            " from " + place(move.from) + " to " + place(move.to) + "  " + move.reason + "\n";
  return text + std::to_string(moves.size()) + " moves\n";
}

std::string dot_of(const Tree& tree, const Outcome& outcome) {
  std::string text = "digraph tree {\n  node [shape=circle];\n";
  for (std::uint32_t i = 0; i < tree.depth.size(); ++i)
    if (tree.depth[i])
      text += "  " + std::to_string(i) + " [tooltip=\"speed " + number(outcome.peers[i].speed, 3) +
              "\"];\n";
  for_each_edge(tree, [&](PeerId parent, PeerId child) {
    text += "  " + name_of(parent) + " -> " + name_of(child) + ";\n";
  });
  return text + "}\n";
}

std::string graphml_of(const Tree& tree, const Outcome& outcome) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"speed\" for=\"node\" attr.name=\"speed\" attr.type=\"double\"/>\n"
      "  <key id=\"depth\" for=\"node\" attr.name=\"depth\" attr.type=\"int\"/>\n"
      "  <graph edgedefault=\"directed\">\n";
  for (std::uint32_t i = 0; i < tree.depth.size(); ++i)
    if (tree.depth[i])
      text += "    <node id=\"" + std::to_string(i) + "\"><data key=\"speed\">" +
              number(outcome.peers[i].speed, 6) + "</data><data key=\"depth\">" +
              std::to_string(*tree.depth[i]) + "</data></node>\n";
  for_each_edge(tree, [&](PeerId parent, PeerId child) {
    text += "    <edge source=\"" + name_of(parent) + "\" target=\"" + name_of(child) + "\"/>\n";
  });
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace rhizome::tools
