// A latency from places: how far apart two peers are, and how far each is from the network's core.
// Dabek, Cox, Kaashoek, Morris: Vivaldi, SIGCOMM 2004, section 5: coordinates with heights.
#pragma once

#include <cstddef>
#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Hosts are uniform in a square or a cube of more dimensions; each has a height besides,
// exponential over the hosts, for the access link that all its packets cross. The delay of a pair
// is their distance and both heights. Vivaldi finds such places for measured delays; here they are
// drawn.
class CoordinateLatency final : public Link {
 public:
  static constexpr std::uint32_t most_dimensions = 5;
  struct Options {
    std::uint32_t hosts = 0;  // beyond them they repeat; at least one
    Duration mean{0};         // one way, over all pairs
    // At least 1. With more dimensions, pairs become more alike, and fewer of them are near.
    std::uint32_t dimensions = 2;
    // The part of the mean that is due to heights. More makes the hosts themselves, rather than
    // their places, near or far.
    double height_share = 0.5;
    std::uint64_t seed = 0;
  };
  explicit CoordinateLatency(Options options);
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration between(PeerId a, PeerId b) const;
  // No pair is slower.
  [[nodiscard]] Duration longest() const { return longest_; }

 private:
  std::uint32_t dimensions_;
  std::vector<double> places_;   // in seconds, host after host
  std::vector<double> heights_;  // in seconds
  Duration longest_{0};
};

}  // namespace rhizome::core
