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

// How a moving task is found: by the addresses that it leaves behind, at one peer that all others
// ask, at the peer that a ring of hashes names for it, by telling each move to all that the task
// knows, or by asking all peers. Or not at all, where no task moves before it has all its data.
enum class Kind : std::uint8_t { forwarders, registry, ring, eager, broadcast, none, last = none };
// When forwarders go: never; once their task needs no more data; once the data of all predecessors
// have passed; or as soon as either of the two holds.
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

// The settings of every scheduler that uses locators. `kinds`: the words for the ways to find tasks
// that this scheduler offers.
[[nodiscard]] core::Settings<Options> settings(const std::vector<std::string>& kinds);
[[nodiscard]] std::vector<std::string> all_kinds();  // all but none
[[nodiscard]] std::vector<std::string> kinds_or_none();

// Why these options cannot work in such a world, as a sentence; empty if they can. Options that the
// scenario leaves out follow the work.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

// The same for the options of a scheduler that contains locator options.
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
