// The addresses of this host, and the one on which a process listens for the others of its run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rhizome::tools {

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
