// What the agents of one peer share: its options, the peers that it knows, and its counters of this
// life.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "agents/resources.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

// When each root was last known to live. The news travels down the trees and from peer to peer as
// an age, so that no clocks need agree; in a part of a tree without its root, and in a cycle, it
// only grows older, everywhere at once.
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

struct Home {
  const Options options;
  const std::vector<PeerId> neighbours;
  const std::uint32_t peers;  // ids are below this
  std::uint64_t epoch = 0;    // of the last stay begun or asked for, in any tree
  Sightings sightings{};
  Capacity capacity{};    // of this peer
  bool draining = false;  // takes no more tasks, and leaves once idle

  // A later life has later epochs.
  void begin_life(core::Incarnation incarnation) {
    epoch = std::uint64_t{incarnation.value} << 32U;
  }
  std::uint64_t next_epoch() { return ++epoch; }
  // Messages may name peers that do not exist.
  [[nodiscard]] bool exists(PeerId peer) const { return peer.value < peers; }
};

}  // namespace rhizome::agents::grid
