// Common parts of the tables of keys: bounds, the keys of models, and access to repeated tables.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/format/keys.hpp"

namespace rhizome::scenarios {

inline constexpr double most_peers = 1'000'000;
inline constexpr double hours = 3600;
inline constexpr double long_time = 1e6 * hours;

// The words of a catalogue of models, each with a word in scenarios and keys of its own.
template <class Models>
[[nodiscard]] std::vector<std::string> words_of(const Models& models) {
  std::vector<std::string> words;
  for (const auto& model : models) words.emplace_back(model.word);
  return words;
}

// The settings of a section, and those that models bring.
template <class Models>
[[nodiscard]] std::vector<core::Setting> with_own(std::vector<core::Setting> settings,
                                                  const Models& models) {
  for (const auto& model : models)
    settings.insert(settings.end(), model.settings.begin(), model.settings.end());
  return settings;
}

// Every key that some model has belongs to those that have it, which the key `on` decides.
template <class Models>
[[nodiscard]] std::vector<Condition> conditions_of(const Models& models, const std::string& on) {
  std::vector<Condition> conditions;
  for (const auto& model : models)
    for (const auto& key : model.all_keys()) {
      const auto known =
          std::ranges::find_if(conditions, [&](const Condition& c) { return c.key == key; });
      if (known == conditions.end())
        conditions.push_back({std::string(key), on, {std::string(model.word)}});
      else
        known->words.emplace_back(model.word);
    }
  return conditions;
}

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
