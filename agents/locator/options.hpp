// The options of a locator, with their defaults and sources.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::locator {

// How a task that moves is found: by the addresses that it leaves behind, at one peer that all ask,
// at the peer that a ring of hashes names for it, by telling all that it knows of each move, or by
// asking everybody. Or not at all: nobody has to, where no task moves before it needs nobody.
enum class Kind : std::uint8_t { forwarders, registry, ring, eager, broadcast, none, last = none };
// When forwarders go: never; once their task needs nobody any more; once all that were to pass have
// passed; or as soon as either is so.
enum class Cleanup : std::uint8_t { none, at_start, by_count, both, last = both };

struct Options {
  Kind kind = Kind::forwarders;
  Cleanup cleanup = Cleanup::both;
  bool compression = true;
  std::uint32_t inform_last_k = 0;
  std::uint64_t find_first = 0;
  std::uint32_t search_after = 3;
  std::uint32_t park_for = 6;
  core::Duration repeat = std::chrono::seconds(1);
  friend bool operator==(const Options&, const Options&) = default;
};

// Those that any scheduler has that works with locators: `kinds` are the words of the first of
// them, which may be found in these ways.
[[nodiscard]] core::Settings<Options> settings(const std::vector<std::string>& kinds);
[[nodiscard]] std::vector<std::string> all_kinds();  // but for none
[[nodiscard]] std::vector<std::string> kinds_or_none();

// Why these options cannot work in such a world, as a sentence; empty if they can. What was left
// unsaid follows the work.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

// The same for the options of a scheduler that has these in it.
template <class O>
void add_settings(core::Settings<O>& all, Options O::*within,
                  const std::vector<std::string>& kinds) {
  std::vector<core::Setting> list = settings(kinds).list();
  for (core::Setting& setting : list) {
    setting.assign = [inner = setting.assign, within](void* object,
                                                      const core::SettingValue& value) {
      inner(&(static_cast<O*>(object)->*within), value);
    };
    setting.read = [inner = setting.read, within](const void* object) {
      return inner(&(static_cast<const O*>(object)->*within));
    };
  }
  all.add(list);
}

}  // namespace rhizome::agents::locator
