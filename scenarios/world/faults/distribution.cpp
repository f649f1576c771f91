#include "scenarios/world/faults/lifetimes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace rhizome::scenarios {

namespace {

double exponential(double standard, double mean, double) { return mean * standard; }

// Shifted to begin at 0, as Yao, Leonard, Wang and Loguinov 2006 model lifetimes.
double pareto(double standard, double mean, double shape) {
  return mean * (shape - 1) * std::expm1(standard / shape);
}

// As Stutzbach and Rejaie 2006 found sessions to be, with shapes below 1.
double weibull(double standard, double mean, double shape) {
  return mean / std::tgamma(1 + 1 / shape) * std::pow(standard, 1 / shape);
}

// Flatter, and nearly all lives are shorter than a nanosecond.
std::string_view too_flat(double shape) { return shape < 0.1 ? "must be at least 0.1" : ""; }

std::string_view without_mean(double shape) {
  return shape <= 1 ? "must be above 1: other Pareto distributions have no mean" : "";
}

constexpr std::array<Distribution, 3> catalogue{{
    {"exponential", "memoryless", 0, exponential, too_flat},
    {"pareto", "heavy-tailed: most of the time is of few", 3, pareto, without_mean},
    {"weibull", "many short sessions and a few long ones, as measured", 0.5, weibull, too_flat},
}};

}  // namespace

std::span<const Distribution> distributions() { return catalogue; }

const Distribution& distribution(std::string_view word) {
  for (const Distribution& one : catalogue)
    if (one.word == word) return one;
  throw std::logic_error("there is no distribution of that name");
}

core::Duration Spread::draw(core::Rng& rng) const {
  constexpr core::Duration least = std::chrono::microseconds(1);
  if (law == nullptr) return std::max(least, mean);
  const double standard = -std::log1p(-rng.unit());
  const double drawn =
      law->bend(standard, core::seconds(mean), shape > 0 ? shape : law->usual_shape);
  return std::max(least, core::from_seconds(drawn));
}

}  // namespace rhizome::scenarios
