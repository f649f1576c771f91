// A ring of hashes: peers and keys are points of it, and the owner of a key is the next peer that
// lives (consistent hashing, Karger et al. 1997).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::overlay {

class HashRing {
 public:
  // Peers 0 to peers - 1, each at `virtual_nodes` points; more of them even the arcs out.
  explicit HashRing(std::uint32_t peers, std::uint32_t virtual_nodes = 1);

  // The successor of the key among the peers for which lives(peer) holds; core::no_peer when there
  // is none.
  template <class Lives>
  [[nodiscard]] core::PeerId owner(std::uint64_t key, Lives lives) const {
    auto at = std::lower_bound(points_.begin(), points_.end(),
                               std::pair(position_of(key), core::PeerId{0}));
    for (std::size_t i = 0; i < points_.size(); ++i, ++at) {
      if (at == points_.end()) at = points_.begin();
      if (lives(at->second)) return at->second;
    }
    return core::no_peer;
  }
  [[nodiscard]] core::PeerId owner(std::uint64_t key) const {
    return owner(key, [](core::PeerId) { return true; });
  }

 private:
  [[nodiscard]] static std::uint64_t position_of(std::uint64_t key);

  std::vector<std::pair<std::uint64_t, core::PeerId>> points_;  // ascending
};

}  // namespace rhizome::overlay
