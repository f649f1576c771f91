// A tree, or the links of an overlay, as text, DOT, GraphML or SVG.
#pragma once

#include <string>
#include <vector>

#include "scenarios/outcome/held_links.hpp"
#include "scenarios/outcome/tree.hpp"
#include "tools/names.hpp"
#include "tools/tree/measures.hpp"

namespace rhizome::tools {

// Peers indented by depth, with speeds, and the measures below.
[[nodiscard]] std::string text_of(const Tree& tree, const Outcome& outcome,
                                  const TreeMeasures& measures);
// The moves in order of time: which peer moved, from where, to where and why.
[[nodiscard]] std::string text_of(const std::vector<TreeMove>& moves);
[[nodiscard]] std::string dot_of(const Tree& tree, const Outcome& outcome);
[[nodiscard]] std::string graphml_of(const Tree& tree, const Outcome& outcome);
// The root in the centre, a ring for each depth, and colours by speed.
[[nodiscard]] std::string svg_of(const Tree& tree, const Outcome& outcome,
                                 const std::string& title);

// A line for each peer with the peers that it knows; a directed graph.
[[nodiscard]] std::string text_of(const HeldLinks& held);
[[nodiscard]] std::string dot_of(const HeldLinks& held);
[[nodiscard]] std::string graphml_of(const HeldLinks& held);
// All peers on a ring in the order of their addresses, larger where more of the living know them.
[[nodiscard]] std::string svg_of(const HeldLinks& held, const std::string& title);

}  // namespace rhizome::tools
