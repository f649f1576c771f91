// Topologies from files, plain or gzipped.
#pragma once

#include <string>

#include "overlay/graphml.hpp"

namespace rhizome::scenarios {

// Throws UnreadableFile, InputError for a damaged archive, and GraphmlError.
[[nodiscard]] overlay::Topology read_topology(const std::string& file);

}  // namespace rhizome::scenarios
