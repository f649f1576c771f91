// Identities as types, so that a peer is never mistaken for a timer or a count.
#pragma once

#include <compare>
#include <cstdint>

namespace rhizome::core {

// The address of a peer: dense from 0, the same through crash and restart.
struct PeerId {
  std::uint32_t value = ~std::uint32_t{0};
  friend constexpr auto operator<=>(const PeerId&, const PeerId&) = default;
};

// No peer at all; no peer ever has this address.
inline constexpr PeerId no_peer{};

// The number of a peer's life: 0 for peers that are there at the start, and one more with every
// restart. A peer that joins later begins with 1, which tells a first life from a late one.
struct Incarnation {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(const Incarnation&, const Incarnation&) = default;
};

// An armed timer of one service of one peer; never valid again once fired or cancelled.
struct TimerId {
  std::uint32_t service = ~std::uint32_t{0};
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend constexpr auto operator<=>(const TimerId&, const TimerId&) = default;
};

// A piece of work that one service of one peer has started.
struct WorkId {
  std::uint32_t service = ~std::uint32_t{0};
  std::uint32_t number = 0;
  friend constexpr auto operator<=>(const WorkId&, const WorkId&) = default;
};

}  // namespace rhizome::core
