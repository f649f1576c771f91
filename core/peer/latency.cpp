#include "core/peer/latency.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::core {

LinkVerdict ConstantLatency::judge(Time, const PacketHeader&, Rng&) const {
  return LinkVerdict::deliver(delay_);
}

LinkVerdict UniformLatency::judge(Time, const PacketHeader&, Rng& rng) const {
  return LinkVerdict::deliver(Duration(rng.between(options_.least.count(), options_.most.count())));
}

// The mean of a lognormal is exp(mu + sigma²/2).
LognormalLatency::LognormalLatency(Options options)
    : options_(options), mu_(std::log(seconds(options.mean)) - options.sigma * options.sigma / 2) {}

LinkVerdict LognormalLatency::judge(Time, const PacketHeader& header, Rng&) const {
  return LinkVerdict::deliver(between(header.from, header.to));
}

// The latency of a pair is derived anew for every packet: a table of all pairs would outgrow the
// peers themselves.
Duration LognormalLatency::between(PeerId a, PeerId b) const {
  if (a == b) return Duration{0};
  const auto [low, high] = std::minmax(a.value, b.value);
  Rng rng = Rng::derive({options_.seed, low, high}, "pair latency");
  return from_seconds(rng.lognormal(mu_, options_.sigma));
}

Duration LognormalLatency::longest() const {
  constexpr double z999 = 3.0902;  // the 99.9 % quantile of the normal distribution
  return from_seconds(std::exp(mu_ + options_.sigma * z999));
}

LinkVerdict MatrixLatency::judge(Time, const PacketHeader& header, Rng&) const {
  const std::size_t size = matrix_.size();
  return LinkVerdict::deliver(matrix_[header.from.value % size][header.to.value % size]);
}

Duration MatrixLatency::longest() const {
  Duration longest{0};
  for (const auto& row : matrix_)
    for (const Duration delay : row) longest = std::max(longest, delay);
  return longest;
}

LinkVerdict MachineLatency::judge(Time, const PacketHeader& header, Rng&) const {
  const bool crosses = machine_of_[header.from.value] != machine_of_[header.to.value];
  return LinkVerdict::deliver(crosses ? between_ : Duration{0});
}

}  // namespace rhizome::core
