#include "scenarios/world/workload/bounded_pareto.hpp"

#include <cmath>

namespace rhizome::scenarios {

namespace {

// The mean of sizes from 1 to `range`; for a shape of 1 the limit of the formula.
double mean_from_one(double shape, double range, double beyond) {
  constexpr double close = 1e-9;
  const double whole = std::abs(shape - 1) < close ? std::log(range)
                                                   : (1 - std::pow(range, 1 - shape)) / (shape - 1);
  return shape * whole / (1 - beyond);
}

}  // namespace

BoundedPareto::BoundedPareto(double shape, double range)
    : shape_(shape),
      range_(range),
      beyond_(std::pow(range, -shape)),
      least_(1 / mean_from_one(shape, range, beyond_)) {}

double BoundedPareto::tail(double x) const {
  if (x <= least()) return 1;
  if (x >= longest()) return 0;
  return (std::pow(x / least_, -shape_) - beyond_) / (1 - beyond_);
}

double BoundedPareto::quantile(double u) const {
  return least_ * std::pow(1 - u * (1 - beyond_), -1 / shape_);
}

}  // namespace rhizome::scenarios
