// Peers that get tasks from a dispatcher, and which of them are held for alive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::agents::dispatching {

class Fleet {
 public:
  explicit Fleet(std::vector<core::PeerId> peers)
      : peers_(std::move(peers)), alive_(peers_.size(), true) {}

  [[nodiscard]] std::size_t size() const { return peers_.size(); }
  [[nodiscard]] core::PeerId peer(std::size_t place) const { return peers_[place]; }
  // The place of a peer in the list; nothing for a stranger.
  [[nodiscard]] std::optional<std::size_t> place(core::PeerId peer) const {
    const auto found = std::lower_bound(peers_.begin(), peers_.end(), peer);
    if (found == peers_.end() || *found != peer) return {};
    return static_cast<std::size_t>(found - peers_.begin());
  }
  [[nodiscard]] bool alive(std::size_t place) const { return alive_[place]; }
  void hold_for(std::size_t place, bool alive) { alive_[place] = alive; }
  [[nodiscard]] std::vector<std::size_t> living() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < alive_.size(); ++i)
      if (alive_[i]) found.push_back(i);
    return found;
  }
  // `count` of the living peers, or all if they are fewer. Each peer has the same chance.
  [[nodiscard]] std::vector<std::size_t> draw(std::size_t count, core::Rng& rng) const {
    std::vector<std::size_t> found = living();
    count = std::min(count, found.size());
    for (std::size_t i = 0; i < count; ++i)
      std::swap(found[i], found[i + rng.below(found.size() - i)]);
    found.resize(count);
    return found;
  }

 private:
  std::vector<core::PeerId> peers_;  // by address
  std::vector<bool> alive_;
};

}  // namespace rhizome::agents::dispatching
