#include "overlay/hash_ring.hpp"

#include "core/peer/rng.hpp"

namespace rhizome::overlay {

HashRing::HashRing(std::uint32_t peers, std::uint32_t virtual_nodes) {
  points_.reserve(std::size_t{peers} * virtual_nodes);
  for (std::uint32_t peer = 0; peer < peers; ++peer)
    for (std::uint32_t node = 0; node < virtual_nodes; ++node)
      points_.emplace_back(core::derive_seed({peer, node}, "ring peer"), core::PeerId{peer});
  std::sort(points_.begin(), points_.end());
}

std::uint64_t HashRing::position_of(std::uint64_t key) {
  return core::derive_seed({key}, "ring key");
}

}  // namespace rhizome::overlay
