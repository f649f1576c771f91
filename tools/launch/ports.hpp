// --ports: on which ports processes listen for each other.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/mesh/ports.hpp"

namespace rhizome::tools {

// "4000-4010", or "4000". Throws UsageError for what is no range of ports.
[[nodiscard]] core::PortRange ports_in(std::string_view text);

// Throws UsageError where they are fewer than the first of so many processes listens on: one for
// each of the others.
void check_enough(const core::PortRange& ports, std::uint32_t processes);

}  // namespace rhizome::tools
