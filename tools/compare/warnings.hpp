// Warnings about a comparison whose figures are less reliable than they look.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/compare/compare.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

using Runs = std::vector<const RunFigures*>;
// The sides of a comparison by name, each with its runs.
using Parts = std::vector<std::pair<std::string, Runs>>;

// Open runs do the work that they have time for, so that the time must be the same.
[[nodiscard]] bool same_time(const Runs& first, const Runs& side);

// Adds a sentence for each warning to a comparison with the sides and rows of the parts.
void add_warnings(Comparison& comparison, const Parts& parts);

}  // namespace rhizome::tools
