// What overlays pass around: the address of a peer, and what the peer reported of itself and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::overlay {

using core::PeerId;

// What a peer reports of itself.
struct Advert {
  double utility = 0;  // how good a place for work the peer finds itself: more is better
  double free_cpus = 0;
  double free_memory = 0;

  friend bool operator==(const Advert&, const Advert&) = default;
};

// A link of a view. It is as stale as it is old: its peer made the advert at `taken`.
struct Descriptor {
  PeerId peer;
  std::uint32_t age = 0;  // in periods of the peer that holds it
  core::Time taken{};
  Advert advert{};

  void grow_older() {
    if (age < std::numeric_limits<std::uint32_t>::max()) ++age;
  }
  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

// The number of peers where it is not known.
inline constexpr std::uint32_t any_address = std::numeric_limits<std::uint32_t>::max();

// What may be believed of a message, whichever peer sent it.
struct Credence {
  PeerId self;          // the receiver, which knows best about itself
  std::uint32_t peers;  // in the world: addresses are below
  std::size_t most;     // descriptors in a message
  core::Time now;       // no advert can be from later
};

// Whether a descriptor is possible: it is of another peer that exists, and its numbers can be
// compared.
[[nodiscard]] bool is_credible(const Descriptor& descriptor, const Credence& credence);

// The credible ones of the first `most`, with each `taken` limited to the time from zero to now.
[[nodiscard]] std::vector<Descriptor> credible(std::vector<Descriptor> told,
                                               const Credence& credence);

// The newest descriptor of every peer, by address.
[[nodiscard]] std::vector<Descriptor> newest(std::vector<Descriptor> all);

}  // namespace rhizome::overlay
