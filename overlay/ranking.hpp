// Which peer is a better neighbour: the preferences that T-Man builds overlays from. Each is a
// strict weak order for any base.
#pragma once

#include <cstdint>

#include "overlay/descriptor.hpp"

namespace rhizome::overlay {

enum class RankingKind : std::uint8_t { gradient, ring, last = ring };

// Which peers the gradient counts as uphill of a peer: peers with higher utility only, or its
// equals as well.
enum class Uphill : std::uint8_t { above, at_least, last = at_least };

class Ranking {
 public:
  // By utility: peers uphill of the base before all others, then the nearest (Sacha et al. 2006;
  // the Sparrow course report: at_least). Where equals are uphill, and many peers have nothing
  // free, these equals are also the nearest: a saturated peer knows only saturated peers.
  static Ranking gradient(Uphill uphill = Uphill::above) {
    return {RankingKind::gradient, 0, uphill};
  }
  // Ranks by distance on a ring of so many addresses (Jelasity et al. 2009).
  static Ranking ring(std::uint32_t addresses) {
    return {RankingKind::ring, addresses, Uphill::above};
  }

  // Whether `base` prefers `a` to `b`.
  [[nodiscard]] bool prefers(const Descriptor& base, const Descriptor& a,
                             const Descriptor& b) const;

 private:
  Ranking(RankingKind kind, std::uint32_t addresses, Uphill uphill)
      : kind_(kind), addresses_(addresses), uphill_(uphill) {}
  [[nodiscard]] bool is_uphill(double utility, double base) const {
    return uphill_ == Uphill::above ? utility > base : utility >= base;
  }
  [[nodiscard]] std::uint32_t distance(PeerId a, PeerId b) const;

  RankingKind kind_;
  std::uint32_t addresses_;
  Uphill uphill_;
};

}  // namespace rhizome::overlay
