// A latency with a part for each host, so that a far host is far from all others.
#pragma once

#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Every pair of peers has a latency of its own, the same both ways and for the whole run: lognormal
// over the pairs, as LognormalLatency is, but the logarithm is a sum of one term for each of the
// two hosts and one for the pair, all normal and independent. Two pairs with a host in common are
// correlated by sigma_host² / sigma². Among hosts of PlanetLab (scenarios/data) the terms of hosts
// deviate by .38.
class HostLatency final : public Link {
 public:
  struct Options {
    std::uint32_t hosts = 0;   // peers beyond them repeat the hosts; at least one
    Duration mean{0};          // one way, over all pairs
    double sigma = 0.52;       // deviation of the logarithm, over all pairs
    double sigma_host = 0.36;  // part of a host: 2·sigma_host² is at most sigma²
    std::uint64_t seed = 0;
  };
  explicit HostLatency(Options options);
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader&, Rng&) const override;
  [[nodiscard]] Duration between(PeerId a, PeerId b) const;
  // 999 of 1,000 pairs are no slower, on average over all draws of hosts.
  [[nodiscard]] Duration longest() const;

 private:
  [[nodiscard]] double term(PeerId peer) const { return terms_[peer.value % terms_.size()]; }

  Options options_;
  double mu_;
  double sigma_pair_;
  std::vector<double> terms_;  // of hosts
};

}  // namespace rhizome::core
