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
// Those that are up, of version 4 of the protocol.
[[nodiscard]] std::vector<Interface> interfaces_here();

// The first whose name is `wanted` or whose address begins like it; without that the first that is
// not this host's own, if there is one. Throws UsageError where none is as wanted.
[[nodiscard]] std::string address_among(std::span<const Interface> interfaces,
                                        const std::optional<std::string>& wanted);

}  // namespace rhizome::tools
