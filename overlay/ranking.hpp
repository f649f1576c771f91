// Who is a better neighbour: the preferences that T-Man builds overlays from. Each is a strict weak
// order for any base.
#pragma once

#include <cstdint>

#include "overlay/descriptor.hpp"

namespace rhizome::overlay {

enum class RankingKind : std::uint8_t { gradient, ring, last = ring };

class Ranking {
 public:
  // By utility: those above the base before those below, then the nearest (Sacha et al. 2006).
  static Ranking gradient() { return {RankingKind::gradient, 0}; }
  // By distance on a ring of so many addresses (Jelasity et al. 2009).
  static Ranking ring(std::uint32_t addresses) { return {RankingKind::ring, addresses}; }

  // Whether `base` likes `a` better than `b`.
  [[nodiscard]] bool prefers(const Descriptor& base, const Descriptor& a,
                             const Descriptor& b) const;

 private:
  Ranking(RankingKind kind, std::uint32_t addresses) : kind_(kind), addresses_(addresses) {}
  [[nodiscard]] std::uint32_t distance(PeerId a, PeerId b) const;

  RankingKind kind_;
  std::uint32_t addresses_;
};

}  // namespace rhizome::overlay
