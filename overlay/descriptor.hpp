// What overlays pass around: the address of a peer, and what it said about itself when.
#pragma once

#include <cstdint>
#include <memory>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::overlay {

using core::PeerId;

// What a peer says about itself: what it has, what of that is free, and how many tasks wait for it.
struct Advert {
  double cpus = 0;
  double free_cpus = 0;
  double free_memory = 0;
  std::uint32_t queued = 0;

  // How good a place for work it is: more is better (Sparrow course report: U).
  [[nodiscard]] double utility() const { return free_cpus - queued; }
  friend bool operator==(const Advert&, const Advert&) = default;
};

// The advert of one's own peer: its agent writes, its overlays read.
using Board = std::shared_ptr<const Advert>;

// A link of a view. As stale as it is old: the advert was taken by its owner at `taken`.
struct Descriptor {
  PeerId peer;
  std::uint32_t age = 0;  // in periods of whoever holds it
  core::Time taken{};
  Advert advert{};
  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

}  // namespace rhizome::overlay
