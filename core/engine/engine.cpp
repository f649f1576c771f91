#include "core/engine/engine.hpp"

#include <array>

namespace rhizome::core {

std::string_view name_of(Ending ending) {
  constexpr std::array<std::string_view, 3> names{"finished", "limit", "interrupted"};
  const auto i = static_cast<std::size_t>(ending);
  return i < names.size() ? names[i] : "unknown";
}

void Fidelity::merge(const Fidelity& other) {
  packet_lag.merge(other.packet_lag);
  timer_lag.merge(other.timer_lag);
  work_lag.merge(other.work_lag);
  handler_time.merge(other.handler_time);
  inbox_depth.merge(other.inbox_depth);
}

}  // namespace rhizome::core
