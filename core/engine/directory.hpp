// The directory of a run: to which life of a peer packets are sent. It knows the peers of all
// shares.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/peer/ids.hpp"

namespace rhizome::core {

// Written by the thread that runs a peer and, for peers of other shares, where the news comes in;
// read from any thread.
class Directory {
 public:
  explicit Directory(std::uint32_t peers) : lives_(peers) {}

  // The present life of a peer, or its last; nothing for an address that does not exist.
  [[nodiscard]] std::optional<Incarnation> life(PeerId peer) const {
    if (peer.value >= lives_.size()) return {};
    return Incarnation{lives_[peer.value].load(std::memory_order_acquire)};
  }
  void begins(PeerId peer, Incarnation life) {
    lives_[peer.value].store(life.value, std::memory_order_release);
  }

 private:
  std::vector<std::atomic<std::uint32_t>> lives_;
};

}  // namespace rhizome::core
