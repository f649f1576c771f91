// The option --ports: the ports on which processes listen for each other.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/mesh/ports.hpp"

namespace rhizome::tools {

// Reads "4000-4010" or "4000". Throws UsageError if the text is no range of ports.
[[nodiscard]] core::PortRange ports_in(std::string_view text);

// Throws UsageError if there are fewer ports than the first of so many processes needs: one for
// each other process.
void check_enough(const core::PortRange& ports, std::uint32_t processes);

}  // namespace rhizome::tools
