// The keys of [files] and [[files.input]]: inputs and outputs of tasks.
#pragma once

#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> file_sections();

}  // namespace rhizome::scenarios
