// The names of what a list has, such as a catalogue.
#pragma once

#include <string>
#include <vector>

namespace rhizome::core {

template <class List>
[[nodiscard]] std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& each : list) names.emplace_back(each.name);
  return names;
}

}  // namespace rhizome::core
