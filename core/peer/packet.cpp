#include "core/peer/packet.hpp"

#include <array>

namespace rhizome::core {

std::string_view name_of(Drop drop) {
  constexpr std::array<std::string_view, drops> names{
      "lost",        "partitioned", "unreachable", "down",       "stale",
      "malformed",   "truncated",   "oversized",   "mismatched", "unknown",
      "implausible", "congested",   "machine"};
  const auto i = static_cast<std::size_t>(drop);
  return i < names.size() ? names[i] : "unknown";
}

}  // namespace rhizome::core
