// A tree as text, DOT, GraphML or SVG.
#pragma once

#include <string>
#include <vector>

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

}  // namespace rhizome::tools
