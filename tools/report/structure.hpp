// The structure of peers at the end of a run, in a sentence, and as a part of a report.
#pragma once

#include <span>
#include <string>

#include "tools/markup/markup.hpp"
#include "tools/names.hpp"
#include "tools/report/material.hpp"
#include "tools/report/outline.hpp"

namespace rhizome::tools {

// The tree, the groups or the overlay as it stood last: how many peers are in it, how deep it is,
// and how many children, workers or links a peer has. Empty where facts tell of none.
[[nodiscard]] std::string structure_text(const Outcome& outcome);

// The sentences, and the drawings of trees; nothing where no run has either.
void add_structures(Element page, std::span<const Contestant> contestants, Outline& outline);

}  // namespace rhizome::tools
