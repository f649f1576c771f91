#include "scenarios/world/faults/distribution.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::scenarios {

namespace {

// The quantile of a standard exponential, from which the others are bent.
double standard(core::Rng& rng) { return -std::log1p(-rng.unit()); }

double drawn_seconds(const Spread& spread, core::Rng& rng) {
  const double mean = core::seconds(spread.mean);
  const double shape = spread.shape > 0 ? spread.shape : usual_shape(spread.kind);
  switch (spread.kind) {
    case Spread::Kind::constant:
      break;
    case Spread::Kind::exponential:
      return mean * standard(rng);
    case Spread::Kind::pareto:
      return mean * (shape - 1) * std::expm1(standard(rng) / shape);
    case Spread::Kind::weibull:
      return mean / std::tgamma(1 + 1 / shape) * std::pow(standard(rng), 1 / shape);
  }
  return mean;
}

}  // namespace

core::Duration Spread::draw(core::Rng& rng) const {
  constexpr core::Duration least = std::chrono::microseconds(1);
  return std::max(least, core::from_seconds(drawn_seconds(*this, rng)));
}

double usual_shape(Spread::Kind kind) { return kind == Spread::Kind::weibull ? 0.5 : 3.0; }

}  // namespace rhizome::scenarios
