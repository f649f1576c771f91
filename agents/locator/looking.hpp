// What looks for a task, whether it carries a datum or only asks.
#pragma once

#include <variant>

#include "agents/locator/locator.hpp"

namespace rhizome::agents::locator {

[[nodiscard]] inline Route& route_of(Looking& looking) {
  return std::visit([](auto& what) -> Route& { return what.route; }, looking);
}
[[nodiscard]] inline const Route& route_of(const Looking& looking) {
  return std::visit([](const auto& what) -> const Route& { return what.route; }, looking);
}

inline void note_held(const Looking& looking, LocatorEffects& out) {
  out.notes.emplace_back(SearchHeld{route_of(looking).to, route_of(looking).from});
}
inline void note_released(const Looking& looking, LocatorEffects& out) {
  out.notes.emplace_back(SearchReleased{route_of(looking).to, route_of(looking).from});
}

}  // namespace rhizome::agents::locator
