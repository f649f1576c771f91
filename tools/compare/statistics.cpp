#include "tools/compare/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <vector>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::tools {

namespace {

// The inputs of a ratio and a difference of two means: the means, and the covariances of the means.
struct TwoMeans {
  double first = 0;
  double second = 0;
  double first_variance = 0;
  double second_variance = 0;
  double covariance = 0;
  double freedom = 0;
  bool enough = false;  // for an interval

  [[nodiscard]] double quantile(double confidence) const {
    return student_quantile(0.5 + confidence / 2, freedom);
  }
};

double count_of(std::span<const double> values) { return static_cast<double>(values.size()); }

double variance_of_mean(std::span<const double> values) {
  const double deviation = deviation_of(values);
  return deviation * deviation / count_of(values);
}

double covariance_of_means(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / (count_of(a) - 1) / count_of(a);
}

// Degrees of freedom after Welch and Satterthwaite.
double welch_freedom(double v1, double n1, double v2, double n2) {
  const double sum = v1 + v2;
  if (sum <= 0) return n1 + n2 - 2;
  return sum * sum / (v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1));
}

TwoMeans two_means(const TwoSamples& samples) {
  assert(!samples.paired || samples.first.size() == samples.second.size());
  TwoMeans means{.first = mean_of(samples.first), .second = mean_of(samples.second)};
  means.enough = std::min(samples.first.size(), samples.second.size()) >= 2 &&
                 !std::isnan(means.first - means.second);
  if (!means.enough) return means;
  means.first_variance = variance_of_mean(samples.first);
  means.second_variance = variance_of_mean(samples.second);
  if (samples.paired) {
    means.covariance = covariance_of_means(samples.first, samples.second);
    means.freedom = count_of(samples.first) - 1;
  } else {
    means.freedom = welch_freedom(means.first_variance, count_of(samples.first),
                                  means.second_variance, count_of(samples.second));
  }
  return means;
}

Interval around(double middle, double half_width) {
  return {middle - half_width, middle + half_width};
}

}  // namespace

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / count_of(values);
}

// Two passes: the textbook's sum of squares loses all digits of a small spread.
double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / (count_of(values) - 1));
}

double student_quantile(double probability, double freedom) {
  return boost::math::quantile(boost::math::students_t(freedom), probability);
}

Estimate estimate_mean(std::span<const double> values, double confidence) {
  Estimate estimate{.value = mean_of(values)};
  if (values.size() < 2 || !estimate.exists()) return estimate;
  const double t = student_quantile(0.5 + confidence / 2, count_of(values) - 1);
  estimate.interval = around(estimate.value, t * std::sqrt(variance_of_mean(values)));
  return estimate;
}

namespace {

// The means of many times that are equal differ by so much, in the last bits of their sums.
double rounding_of(const TwoSamples& samples) {
  double largest = 0;
  for (const auto& values : {samples.first, samples.second})
    for (const double value : values) largest = std::max(largest, std::fabs(value));
  return 1e-13 * largest;
}

Estimate unrounded_difference(const TwoSamples& samples, double confidence) {
  if (samples.paired) {
    assert(samples.first.size() == samples.second.size());
    std::vector<double> differences;
    for (std::size_t i = 0; i < samples.first.size(); ++i)
      differences.push_back(samples.first[i] - samples.second[i]);
    return estimate_mean(differences, confidence);
  }
  const TwoMeans means = two_means(samples);
  Estimate estimate{.value = means.first - means.second};
  if (means.enough)
    estimate.interval =
        around(estimate.value, means.quantile(confidence) *
                                   std::sqrt(means.first_variance + means.second_variance));
  return estimate;
}

}  // namespace

Estimate estimate_difference(const TwoSamples& samples, double confidence) {
  const Estimate estimate = unrounded_difference(samples, confidence);
  const double rounding = rounding_of(samples);
  const auto is_none = [rounding](double value) { return std::fabs(value) <= rounding; };
  if (!estimate.interval || !is_none(estimate.value) || !is_none(estimate.interval->low) ||
      !is_none(estimate.interval->high))
    return estimate;
  return {.value = 0, .interval = Interval{0, 0}};
}

// A spread within the rounding of the values is none.
double difference_p_value(const TwoSamples& samples) {
  const TwoMeans means = two_means(samples);
  if (!means.enough) return 1;
  const double rounding = rounding_of(samples);
  double difference = means.first - means.second;
  double error = std::sqrt(means.first_variance + means.second_variance);
  if (samples.paired) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < samples.first.size(); ++i)
      differences.push_back(samples.first[i] - samples.second[i]);
    difference = mean_of(differences);
    error = std::sqrt(variance_of_mean(differences));
  }
  if (error <= rounding) return std::fabs(difference) > rounding ? 0 : 1;
  const boost::math::students_t student(means.freedom);
  return 2 * boost::math::cdf(boost::math::complement(student, std::fabs(difference) / error));
}

// The ratios r for which t cannot tell first - r·second from 0 lie between the roots of
// square·r² - 2·linear·r + constant.
Estimate estimate_ratio(const TwoSamples& samples, double confidence) {
  const TwoMeans means = two_means(samples);
  Estimate estimate{.value = means.first / means.second};
  if (!means.enough) return estimate;
  const double t = means.quantile(confidence);
  const double square = means.second * means.second - t * t * means.second_variance;
  if (square <= 0) return estimate;
  const double linear = means.first * means.second - t * t * means.covariance;
  const double constant = means.first * means.first - t * t * means.first_variance;
  const double root = std::sqrt(std::max(0.0, linear * linear - square * constant));
  estimate.interval = Interval{(linear - root) / square, (linear + root) / square};
  return estimate;
}

namespace {

constexpr std::size_t batches = 20;

// The figure of all values, with an interval from its batches. Values behind the last full batch
// count for the figure only.
template <class F>
Estimate estimate_by_batches(std::span<const double> values, std::size_t least, double confidence,
                             F figure) {
  Estimate estimate{.value = figure(values)};
  const std::size_t size = values.size() / batches;
  if (size < least || std::isnan(estimate.value)) return estimate;
  double squares = 0;
  for (std::size_t i = 0; i < batches; ++i) {
    const double off = figure(values.subspan(i * size, size)) - estimate.value;
    squares += off * off;
  }
  constexpr double freedom = batches - 1;
  const double half = student_quantile(0.5 + confidence / 2, freedom) *
                      std::sqrt(squares / (static_cast<double>(batches) * freedom));
  estimate.interval = Interval{estimate.value - half, estimate.value + half};
  return estimate;
}

constexpr double least_of_batch = 10;

}  // namespace

Estimate estimate_quantile(std::span<const double> values, double share, double confidence) {
  const auto least = static_cast<std::size_t>(std::ceil(std::max(least_of_batch, 1 / (1 - share))));
  return estimate_by_batches(values, least, confidence, [share](std::span<const double> of) {
    return percentile(std::vector<double>(of.begin(), of.end()), share);
  });
}

Estimate estimate_mean_of_series(std::span<const double> values, double confidence) {
  return estimate_by_batches(values, static_cast<std::size_t>(least_of_batch), confidence,
                             [](std::span<const double> of) { return mean_of(of); });
}

}  // namespace rhizome::tools
