// Writes a random draft key by key, by the table of keys: keys without effect are left out, and
// keys that the writer does not know can be drawn from their bounds.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/peer/setting.hpp"
#include "test/fuzz/protocol/dice.hpp"
#include "test/fuzz/protocol/draft.hpp"

namespace rhizome::fuzz {

class DraftWriter {
 public:
  explicit DraftWriter(Dice dice) : dice_(dice) {}

  [[nodiscard]] Dice& dice() { return dice_; }
  [[nodiscard]] const Draft& draft() const { return draft_; }

  // Writes a key of a scenario's table, if it has an effect beside those written before. A key that
  // the format does not have is an error: std::logic_error.
  void set(const std::string& section, const std::string& key, std::string value);
  void maybe(double probability, const std::string& section, const std::string& key,
             std::string value);
  // Leaves a key out, now and in draw_unknown.
  void leave(const std::string& section, const std::string& key);
  // Whole tables, or one key.
  void take_back(const std::string& section, const std::string& key = {});
  // A resource by a name of the scenario's own, in [peers.resources] or [workload.resources].
  void set_resource(const std::string& section, const std::string& key, std::string value);
  // An option of the scheduler.
  void set_option(const std::string& key, std::string value);
  // Now and then, each key of the table that was neither written nor left out.
  void draw_unknown(const std::string& section);

  // Any of the words of a choice that do not ask for a file.
  [[nodiscard]] std::string word(const std::string& section, const std::string& key);
  [[nodiscard]] std::string whole(std::int64_t low, std::int64_t high);
  // For numbers with a fraction now and then the least allowed value, at which a rule often becomes
  // another, as a softmax its maximum; otherwise a value near the default.
  [[nodiscard]] std::string near_default_or_least(const core::Setting& setting, const void* object);
  // Up to four times more or less than the value that `object` holds; where that is nothing, a
  // little. Empty for texts.
  [[nodiscard]] std::string near_default(const core::Setting& setting, const void* object);

 private:
  [[nodiscard]] bool has_effect(const std::string& section, const std::string& key) const;

  Dice dice_;
  Draft draft_;
  std::set<std::string> known_;  // "section.key"
};

}  // namespace rhizome::fuzz
