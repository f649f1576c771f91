// The tables of keys about faults: [faults] and what lies in it.
#pragma once

#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> fault_sections();

}  // namespace rhizome::scenarios
