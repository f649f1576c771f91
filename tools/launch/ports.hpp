// The option --ports: the ports on which processes listen for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/ports.hpp"

namespace rhizome::tools {

// Reads "4000-4010" or "4000". Throws UsageError if the text is no range of ports.
[[nodiscard]] core::PortRange ports_in(std::string_view text);

// Throws UsageError if there are fewer ports than the first of so many processes needs: one for
// each other process.
void check_enough(const core::PortRange& ports, std::uint32_t processes);

// The addresses of this host, and the one on which a process listens for the others of its run.
struct Interface {
  std::string name;     // "eth0"
  std::string address;  // "10.77.0.1"
};
// The interfaces with an address of IPv4 that are up.
[[nodiscard]] std::vector<Interface> interfaces_here();

// The address of the first interface whose name is `wanted` or whose address begins like it;
// without `wanted`, of the first that is not the loopback, if there is one. Throws UsageError if
// none matches.
[[nodiscard]] std::string address_among(std::span<const Interface> interfaces,
                                        const std::optional<std::string>& wanted);

}  // namespace rhizome::tools
