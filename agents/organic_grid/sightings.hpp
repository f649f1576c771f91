// When each root was last known to live. The news travels down the trees and from peer to peer as
// an age, so that no clocks need agree; in a part of a tree without its root, and in a cycle, it
// only grows older, everywhere at once.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

class Sightings {
 public:
  // A message says that the root lived `age` ago; only the youngest news counts.
  void learn(PeerId root, Duration age, core::Time now) {
    constexpr Duration most = std::chrono::hours(24 * 365);  // whatever a message claims
    const core::Time then = now - std::clamp(age, Duration::zero(), most);
    const auto [found, fresh] = last_.try_emplace(root, then);
    found->second = std::max(found->second, then);
  }
  // Nothing if no message ever told.
  [[nodiscard]] std::optional<Duration> age(PeerId root, core::Time now) const {
    const auto found = last_.find(root);
    if (found == last_.end()) return {};
    return now - found->second;
  }
  // What to tell others: everything known.
  [[nodiscard]] std::vector<Sighting> all(core::Time now) const {
    std::vector<Sighting> list;
    for (const auto& [root, then] : last_) list.push_back({root, now - then});
    return list;
  }

 private:
  std::map<PeerId, core::Time> last_;
};

}  // namespace rhizome::agents::grid
