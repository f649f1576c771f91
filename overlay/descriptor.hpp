// What overlays pass around: the address of a peer, and what it said about itself when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

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

  void grow_older() {
    if (age < std::numeric_limits<std::uint32_t>::max()) ++age;
  }
  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

// Where nobody knows how many peers there are.
inline constexpr std::uint32_t any_address = std::numeric_limits<std::uint32_t>::max();

// What may be believed of a message, whoever sent it.
struct Credence {
  PeerId self;          // knows best about itself
  std::uint32_t peers;  // of the world: addresses are below
  std::size_t most;     // descriptors in a message
  core::Time now;       // nobody can have spoken later
};

// What can be true: of other peers that exist, with numbers that can be compared.
[[nodiscard]] bool is_credible(const Descriptor& descriptor, const Credence& credence);

// The credible ones of the first `most`; none was taken later than now, or before time began.
[[nodiscard]] std::vector<Descriptor> credible(std::vector<Descriptor> told,
                                               const Credence& credence);

// The newest descriptor of every peer, by address.
[[nodiscard]] std::vector<Descriptor> newest(std::vector<Descriptor> all);

}  // namespace rhizome::overlay
