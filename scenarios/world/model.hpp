// A model: one entry of a catalogue of kinds that a scenario can name. Adding one costs a file pair
// and a line in its catalogue: keys, documentation, schema and lists of kinds are derived from it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/peer/setting.hpp"

namespace rhizome::scenarios {

// Why values that are valid alone are invalid together, and their keys, the first to blame first.
struct Complaint {
  std::vector<std::string> keys;
  std::string text;
};

struct Model {
  std::string word;                       // in a scenario
  std::string meaning;                    // half a sentence
  std::vector<std::string> keys{};        // of its table; other models may share them
  std::vector<core::Setting> settings{};  // keys that it brings: see own_settings

  // All keys of its table that mean something with it.
  [[nodiscard]] std::vector<std::string> all_keys() const {
    std::vector<std::string> all = keys;
    for (const core::Setting& setting : settings) all.push_back(setting.name);
    return all;
  }
  [[nodiscard]] bool has(const std::string& key) const {
    const std::vector<std::string> all = all_keys();
    return std::ranges::find(all, key) != all.end();
  }
};

}  // namespace rhizome::scenarios
