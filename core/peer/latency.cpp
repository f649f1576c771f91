#include "core/peer/latency.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rhizome::core {

LinkVerdict ConstantLatency::judge(Time, const PacketHeader&, Rng&) const {
  return LinkVerdict::deliver(delay_);
}

LinkVerdict UniformLatency::judge(Time, const PacketHeader&, Rng& rng) const {
  return LinkVerdict::deliver(Duration(rng.between(options_.least.count(), options_.most.count())));
}

LinkVerdict Jitter::judge(Time now, const PacketHeader& header, Rng& rng) const {
  const Duration own(rng.between(0, most_.count()));
  return LinkVerdict::deliver(latency_ ? latency_->judge(now, header, rng).after + own : own);
}

Duration MatrixLatency::between(PeerId from, PeerId to) const {
  return matrix_[from.value % matrix_.size()][to.value % matrix_.size()];
}

Duration MatrixLatency::longest() const {
  Duration longest{0};
  for (const auto& row : matrix_)
    for (const Duration delay : row) longest = std::max(longest, delay);
  return longest;
}

Duration MachineLatency::between(PeerId from, PeerId to) const {
  return machine_of_[from.value] != machine_of_[to.value] ? between_ : Duration{0};
}

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

// The term of the pair is derived anew for every packet: a table of all pairs would outgrow the
// peers themselves.
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

namespace {

// The mean distance of two points in a unit cube of 1, 2, ... dimensions (Robbins 1978; Anderssen
// et al., SIAM J. Appl. Math. 30, 1976).
constexpr std::array<double, CoordinateLatency::most_dimensions> mean_distance{
    0.333333, 0.521405, 0.661707, 0.777666, 0.878531};

}  // namespace

CoordinateLatency::CoordinateLatency(Options options)
    : dimensions_(std::clamp(options.dimensions, 1U, most_dimensions)) {
  const double mean = seconds(options.mean);
  const double edge = mean * (1 - options.height_share) / mean_distance[dimensions_ - 1];
  const double mean_height = mean * options.height_share / 2;
  double highest = 0;
  for (std::uint32_t host = 0; host < options.hosts; ++host) {
    Rng rng = Rng::derive({options.seed, host}, "place");
    for (std::uint32_t i = 0; i < dimensions_; ++i) places_.push_back(rng.uniform(0, edge));
    heights_.push_back(rng.exponential(mean_height));
    highest = std::max(highest, heights_.back());
  }
  longest_ = from_seconds(edge * std::sqrt(dimensions_) + 2 * highest);
}

Duration CoordinateLatency::between(PeerId a, PeerId b) const {
  if (a == b) return Duration{0};
  const std::size_t first = a.value % heights_.size();
  const std::size_t second = b.value % heights_.size();
  double squares = 0;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const double apart = places_[first * dimensions_ + i] - places_[second * dimensions_ + i];
    squares += apart * apart;
  }
  return from_seconds(std::sqrt(squares) + (heights_[first] + heights_[second]));
}

}  // namespace rhizome::core
