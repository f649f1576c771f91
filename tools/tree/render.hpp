// A tree as text, DOT, GraphML or SVG.
#pragma once

#include <string>
#include <vector>

#include "scenarios/outcome/tree.hpp"
#include "tools/names.hpp"
#include "tools/tree/measures.hpp"

namespace rhizome::tools {

// Indented by depth, with speeds, and the measures below.
[[nodiscard]] std::string text_of(const Tree& tree, const Outcome& outcome,
                                  const TreeMeasures& measures);
// Who moved from where to where and why, in order of time.
[[nodiscard]] std::string text_of(const std::vector<TreeMove>& moves);
[[nodiscard]] std::string dot_of(const Tree& tree, const Outcome& outcome);
[[nodiscard]] std::string graphml_of(const Tree& tree, const Outcome& outcome);
// The root in the middle, a ring for each depth, the colour by speed.
[[nodiscard]] std::string svg_of(const Tree& tree, const Outcome& outcome,
                                 const std::string& title);

}  // namespace rhizome::tools
