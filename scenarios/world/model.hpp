// A model: one entry of a catalogue of kinds that a scenario can name.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace rhizome::scenarios {

struct Model {
  std::string word;               // in a scenario
  std::string meaning;            // half a sentence
  std::vector<std::string> keys;  // of its table that are its own

  [[nodiscard]] bool has(const std::string& key) const {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }
};

}  // namespace rhizome::scenarios
