// The keys of [provision].
#pragma once

#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> provision_sections();

}  // namespace rhizome::scenarios
