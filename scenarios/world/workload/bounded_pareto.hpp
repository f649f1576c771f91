// The bounded Pareto law of job sizes: many short, few long, and none beyond a longest
// (Harchol-Balter, Crovella and Murta, On Choosing a Task Assignment Policy for a Distributed
// Server System, 1999).
#pragma once

namespace rhizome::scenarios {

// Sizes of mean 1, from `least` to `range` times that; the share of sizes above x falls with x to
// the power of -shape.
class BoundedPareto {
 public:
  // shape > 0, range > 1
  BoundedPareto(double shape, double range);

  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double longest() const { return least_ * range_; }
  // The share of sizes above x.
  [[nodiscard]] double tail(double x) const;
  // The size that a share u of all are below, 0 <= u < 1.
  [[nodiscard]] double quantile(double u) const;

 private:
  double shape_;
  double range_;
  double beyond_;  // share above the longest without the bound
  double least_;
};

}  // namespace rhizome::scenarios
