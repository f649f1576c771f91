#include "core/engine/engine.hpp"

#include <array>

namespace rhizome::core {

std::string_view name_of(Ending ending) {
  constexpr std::array<std::string_view, 4> names{"finished", "limit", "interrupted", "open"};
  const auto i = static_cast<std::size_t>(ending);
  return i < names.size() ? names[i] : "unknown";
}

std::string_view name_of(Fault::Kind kind) {
  constexpr std::array<std::string_view, 4> names{"crash", "restart", "leave", "join"};
  const auto i = static_cast<std::size_t>(kind);
  return i < names.size() ? names[i] : "unknown";
}

std::vector<bool> present_at_start(const EngineSetup& setup) {
  std::vector<bool> present(setup.peers, true);
  for (const Fault& fault : setup.faults)
    if (fault.kind == Fault::Kind::join) present[fault.peer.value] = false;
  for (const PeerId peer : setup.absent) present[peer.value] = false;
  return present;
}

}  // namespace rhizome::core
