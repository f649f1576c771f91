// The tables of keys about the network: [network] and what lies in it.
#pragma once

#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

[[nodiscard]] std::vector<Section> network_sections();

}  // namespace rhizome::scenarios
