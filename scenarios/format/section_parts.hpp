// What the tables of keys have in common: bounds, and how tables that repeat are reached.
#pragma once

#include <utility>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

inline constexpr double most_peers = 1'000'000;
inline constexpr double hours = 3600;
inline constexpr double long_time = 1e6 * hours;

// `list` leads from a scenario, const or not, to the vector of the table's items.
template <class F>
[[nodiscard]] Section repeated(Section section, F list) {
  section.repeated = true;
  section.address = [list](Scenario& scenario, std::size_t i) -> void* {
    return &list(scenario)[i];
  };
  section.resize = [list](Scenario& scenario, std::size_t size) { list(scenario).resize(size); };
  section.count = [list](const Scenario& scenario) { return list(scenario).size(); };
  return section;
}

}  // namespace rhizome::scenarios
