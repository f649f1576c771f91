// Fills in what laws say: the points of each [[points]] that names one, and where the cells of a
// figure over the load are drawn.
#pragma once

#include <span>

#include "scenarios/format/scenario.hpp"
#include "tools/names.hpp"
#include "tools/reproduce/entry.hpp"

namespace rhizome::tools {

// `study` are the cells of the result's study, not empty. Throws InputError with the position of a
// law that does not fit them.
void apply_laws(Reproduction& result, std::span<const Cell> study);

}  // namespace rhizome::tools
