// The keys of [files] and [[files.input]]: what tasks take along and leave.
#pragma once

#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> file_sections();

}  // namespace rhizome::scenarios
