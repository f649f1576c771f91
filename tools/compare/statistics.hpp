// The statistics of comparisons: means with Student's t intervals, differences over common seeds,
// and ratios of means by Fieller's theorem. The one door to Boost.Math.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "tools/names.hpp"

namespace rhizome::tools {

struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// A figure and its interval with the stated confidence; no interval if the sample cannot give one:
// fewer than two values, or a denominator that may be zero. If one of the values is not a number
// there is neither.
struct Estimate {
  double value = 0;
  std::optional<Interval> interval{};
  [[nodiscard]] bool exists() const { return !std::isnan(value); }
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

// Arithmetic mean; 0 of nothing.
[[nodiscard]] double mean_of(std::span<const double> values);
// Standard deviation of a sample (n - 1 below the line); 0 of fewer than two values.
[[nodiscard]] double deviation_of(std::span<const double> values);

// The value that a Student-t variable of `freedom` > 0 degrees does not exceed with `probability`.
[[nodiscard]] double student_quantile(double probability, double freedom);

// All intervals are two-sided. `confidence` lies between 0 and 1, for example 0.95.
[[nodiscard]] Estimate estimate_mean(std::span<const double> values, double confidence);

// Two samples; `paired`: values at equal positions belong together, as runs with one seed do; the
// sizes must be equal.
struct TwoSamples {
  std::span<const double> first;
  std::span<const double> second;
  bool paired = true;
};

// first - second. Paired: Student's t on the differences. Else Welch (Biometrika 34, 1947).
// What lies within the rounding of sums of the values is 0.
[[nodiscard]] Estimate estimate_difference(const TwoSamples& samples, double confidence);

// How likely a difference of the means at least as large is when there is none, on either side, by
// the test that belongs to the interval of estimate_difference(); 1 when fewer than two values, or
// some that are no numbers, say nothing.
[[nodiscard]] double difference_p_value(const TwoSamples& samples);

// mean(first) / mean(second) by Fieller's theorem (J. Roy. Stat. Soc. B 16, 1954), because then the
// interval of the ratio contains 1 exactly when that of the difference contains 0. No interval when
// the second mean cannot be told from zero.
[[nodiscard]] Estimate estimate_ratio(const TwoSamples& samples, double confidence);

// Estimates the quantile `share` of values that may depend on the values before them, as response
// times do: by 20 batches of consecutive values, whose quantiles are taken for independent (batch
// means; Law, Simulation Modeling and Analysis, section 9.5). There is no interval unless each
// batch has 10 values, and one beyond the quantile. Not a number if there are no values.
[[nodiscard]] Estimate estimate_quantile(std::span<const double> values, double share,
                                         double confidence);
// The same of the mean.
[[nodiscard]] Estimate estimate_mean_of_series(std::span<const double> values, double confidence);

}  // namespace rhizome::tools
