// A user's text, for checks of keys together: the place of a key, and whether a later layer, the
// command line or the environment, chose another.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/format/document.hpp"

namespace rhizome::scenarios {

class Written {
 public:
  // Both outlive this, and stay as they are from the first question on. `name` is the scenario's
  // file.
  Written(const Document& document, const std::string& name) : document_(document), name_(name) {}

  // Null where the key is not written.
  [[nodiscard]] const Entry* find(const std::string& section, const std::string& key) const {
    if (places_.empty())
      for (const Entry& entry : document_.entries)
        places_.try_emplace({entry.section, entry.key}, &entry);
    const auto found = places_.find({section, key});
    return found == places_.end() ? nullptr : found->second;
  }
  // The start of the file for a key that is not written.
  [[nodiscard]] Position where(const std::string& section, const std::string& key) const {
    const Entry* entry = find(section, key);
    return entry != nullptr ? entry->at : Position{name_, 1, 1};
  }
  // Whether a later layer than that of `entry` sets the key: it may have made the entry of the file
  // ineffective.
  [[nodiscard]] bool later(const Entry& entry, const std::string& section,
                           const std::string& key) const {
    const Entry* other = find(section, key);
    return other != nullptr && other->layer > entry.layer;
  }
  // Refuses bounds in the wrong order, at the upper one if it is written.
  void in_order(bool fine, const std::string& section, const std::string& low,
                const std::string& high) const {
    if (fine) return;
    refuse(where(section, find(section, high) != nullptr ? high : low),
           "\"" + high + "\" is below \"" + low + "\"");
  }

 private:
  const Document& document_;
  const std::string& name_;
  // By section and key, made at the first question: as many are asked as there are entries.
  mutable std::map<std::pair<std::string_view, std::string_view>, const Entry*> places_;
};

}  // namespace rhizome::scenarios
