// What the agents of one peer share: its options, the peers that it knows, and its counters of this
// life.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agents/organic_grid/options.hpp"
#include "agents/organic_grid/sightings.hpp"
#include "agents/resources.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

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
  [[nodiscard]] std::vector<PeerId> existing(const std::vector<PeerId>& named) const {
    std::vector<PeerId> list;
    std::copy_if(named.begin(), named.end(), std::back_inserter(list),
                 [this](PeerId peer) { return exists(peer); });
    return list;
  }
};

}  // namespace rhizome::agents::grid
