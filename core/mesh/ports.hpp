// The ports that processes may listen on, where a firewall lets only some through.
#pragma once

#include <cstdint>

namespace rhizome::core {

struct PortRange {
  std::uint16_t first = 1;
  std::uint16_t last = 65535;  // is one of them

  [[nodiscard]] std::uint32_t size() const { return last - first + 1U; }
  friend bool operator==(const PortRange&, const PortRange&) = default;
};

}  // namespace rhizome::core
