#include "core/peer/message.hpp"

#include <array>

namespace rhizome::core {

std::string_view name_of(MessageClass message_class) {
  constexpr std::array<std::string_view, message_classes> names{"information", "job", "result"};
  const auto i = static_cast<std::size_t>(message_class);
  return i < names.size() ? names[i] : "unknown";
}

std::string_view name_of(Cause cause) {
  constexpr std::array<std::string_view, causes> names{
      "work",        "request", "completion",  "join",     "promotion", "eviction",
      "departure",   "merge",   "split",       "election", "heartbeat", "recovery",
      "maintenance", "probe",   "termination", "input",    "output",    "inventory"};
  const auto i = static_cast<std::size_t>(cause);
  return i < names.size() ? names[i] : "unknown";
}

}  // namespace rhizome::core
