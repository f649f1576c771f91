#include "core/peer/coordinate_latency.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rhizome::core {

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

LinkVerdict CoordinateLatency::judge(Time, const PacketHeader& header, Rng&) const {
  return LinkVerdict::deliver(between(header.from, header.to));
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
