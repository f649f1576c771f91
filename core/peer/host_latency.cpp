#include "core/peer/host_latency.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::core {

// The mean of a lognormal is exp(mu + sigma²/2).
HostLatency::HostLatency(Options options)
    : options_(options),
      mu_(std::log(seconds(options.mean)) - options.sigma * options.sigma / 2),
      sigma_pair_(std::sqrt(std::max(
          0.0, options.sigma * options.sigma - 2 * options.sigma_host * options.sigma_host))) {
  for (std::uint32_t host = 0; host < options.hosts; ++host)
    terms_.push_back(options.sigma_host *
                     Rng::derive({options.seed, host}, "host latency").normal());
}

LinkVerdict HostLatency::judge(Time, const PacketHeader& header, Rng&) const {
  return LinkVerdict::deliver(between(header.from, header.to));
}

// The term of the pair is derived anew for every packet, as in LognormalLatency.
Duration HostLatency::between(PeerId a, PeerId b) const {
  if (a == b) return Duration{0};
  const auto [low, high] = std::minmax(a.value, b.value);
  Rng rng = Rng::derive({options_.seed, low, high}, "pair latency");
  return from_seconds(rng.lognormal(mu_ + (term(a) + term(b)), sigma_pair_));
}

Duration HostLatency::longest() const {
  constexpr double z999 = 3.0902;  // the 99.9 % quantile of the normal distribution
  return from_seconds(std::exp(mu_ + options_.sigma * z999));
}

}  // namespace rhizome::core
