#include "tools/compare/wording.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rhizome::tools {

namespace {

std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

// Decimals that leave four digits of the value.
int decimals_of(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(std::fabs(value)))), 0, 6);
}

struct Scale {
  double divisor;
  const char* suffix;
};

// The scale of the figure is also that of its interval, so that both can be compared at a glance. A
// value beyond all suffixes has a power of ten.
Scale scale_of(double value) {
  for (const Scale& scale : {Scale{1e12, "T"}, Scale{1e9, "G"}, Scale{1e6, "M"}})
    if (std::fabs(value) >= scale.divisor) return scale;
  return {1, ""};
}

// Too large or too small to be written out.
bool extreme(double value) {
  const double size = std::fabs(value);
  return std::isfinite(size) && (size >= 1e16 || (size > 0 && size < 1e-5));
}

std::string power_text(double value) { return fmt::format("{:.3g}", value); }

std::string in_brackets(const std::string& low, const std::string& high) {
  return " [" + low + ", " + high + "]";
}

// Two decimals, or fewer for large differences.
int difference_decimals(double largest) {
  const int decimals = decimals_of(largest);
  return largest >= 0.1 ? std::min(2, decimals) : std::max(0, decimals - 1);
}

// The larger end decides on the digits of both.
std::string signed_interval(const Estimate& difference) {
  double largest = std::fabs(difference.value);
  if (difference.interval)
    largest = std::max(
        {largest, std::fabs(difference.interval->low), std::fabs(difference.interval->high)});
  const Scale scale = scale_of(largest);
  const int decimals = difference_decimals(largest / scale.divisor);
  const auto digits = [&](double value) {
    if (extreme(largest)) return power_text(value);
    return fixed(value / scale.divisor, decimals) + scale.suffix;
  };
  std::string text = (difference.value > 0 ? "+" : "") + digits(difference.value);
  if (difference.interval)
    text += in_brackets(digits(difference.interval->low), digits(difference.interval->high));
  return text;
}

std::string heading_in(const Metric& metric, const std::string& unit) {
  std::string words = " " + metric.title + " ";
  std::ranges::replace(words, ',', ' ');
  const bool said = unit.empty() || metric.title.starts_with(' ') ||
                    words.find(" " + unit + " ") != std::string::npos;
  return said ? metric.title : metric.title + ", " + unit;
}

// "30.8 % [27.8, 33.7]": by how much one is beyond the other, whichever way.
std::string advantage(const Versus& versus) {
  if (!ratio_known(versus) || !versus.ratio.interval) {
    Estimate difference = versus.difference;
    if (difference.value < 0)
      difference = {-difference.value,
                    Interval{-difference.interval->high, -difference.interval->low}};
    return signed_interval(difference).substr(1);
  }
  const double sign = versus.ratio.value < 1 ? -100 : 100;
  double low = sign * (versus.ratio.interval->low - 1);
  double high = sign * (versus.ratio.interval->high - 1);
  if (low > high) std::swap(low, high);
  return fmt::format("{:.3g} % [{:.3g}, {:.3g}]", sign * (versus.ratio.value - 1), low, high);
}

// Four digits, and no more than three decimals.
std::string ratio_digits(double ratio) {
  if (std::fabs(ratio) >= 1e6 || (ratio != 0 && std::fabs(ratio) < 5e-4)) return power_text(ratio);
  return fixed(ratio, std::min(3, decimals_of(ratio)));
}

}  // namespace

std::string mean_text(const Estimate& estimate) {
  if (!estimate.exists()) return "n/a";
  if (extreme(estimate.value)) {
    const std::string half =
        estimate.interval
            ? " ±" + fmt::format("{:.2g}", (estimate.interval->high - estimate.interval->low) / 2)
            : "";
    return power_text(estimate.value) + half;
  }
  const Scale scale = scale_of(estimate.value);
  const double scaled = estimate.value / scale.divisor;
  const int decimals = decimals_of(scaled);
  std::string text = fixed(scaled, decimals) + scale.suffix;
  if (estimate.interval) {
    const double half = (estimate.interval->high - estimate.interval->low) / 2;
    text += " ±" + (half == 0 ? "0" : fixed(half / scale.divisor, decimals) + scale.suffix);
  }
  return text;
}

bool ratio_known(const Versus& versus) {
  if (!std::isfinite(versus.ratio.value) || versus.ratio.value < 0) return false;
  if (!versus.ratio.interval) return !versus.difference.interval;
  return versus.ratio.interval->low >= 0;
}

bool equal(const Versus& versus) {
  const auto& interval = versus.difference.interval;
  return versus.difference.value == 0 && interval && interval->low == 0 && interval->high == 0;
}

std::string versus_text(const Versus& versus) {
  if (!versus.difference.exists()) return "n/a";
  if (equal(versus)) return "equal";
  if (!ratio_known(versus)) return signed_interval(versus.difference);
  std::string text = ratio_digits(versus.ratio.value);
  if (const auto& interval = versus.ratio.interval)
    text += in_brackets(ratio_digits(interval->low), ratio_digits(interval->high));
  return text;
}

int merit(const Metric& metric, const Versus& versus) {
  const bool decided = versus.verdict == Verdict::less || versus.verdict == Verdict::more;
  if (!decided || metric.better == Better::neither) return 0;
  return (versus.verdict == Verdict::less) == (metric.better == Better::less) ? 1 : -1;
}

std::string verdict_text(const Metric& metric, const Versus& versus) {
  const int worth = merit(metric, versus);
  if (versus.verdict == Verdict::inapplicable) return {};
  if (equal(versus) && versus.verdict == Verdict::not_distinguishable) return {};
  if (worth == 0) return std::string(name_of(versus.verdict));
  return worth > 0 ? "better" : "worse";
}

bool sound(const Side& side) {
  return side.invalid + side.suspect + side.steered + side.unfinished + side.violated == 0;
}

std::vector<std::string> warnings_of(std::span<const Comparison> comparisons) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (const Comparison& comparison : comparisons)
    for (const std::string& warning : comparison.warnings) {
      auto known =
          std::ranges::find_if(counted, [&](const auto& one) { return one.first == warning; });
      if (known == counted.end()) known = counted.insert(counted.end(), {warning, 0});
      ++known->second;
    }
  std::vector<std::string> texts;
  for (const auto& [warning, cells] : counted)
    texts.push_back(cells == comparisons.size()
                        ? warning
                        : warning + fmt::format(" (in {} of {} cells)", cells, comparisons.size()));
  return texts;
}

std::string judged_text(const Side& side) {
  std::string text;
  for (const Judged& one : side.judged) {
    text += (text.empty() ? "" : ", ") + one.invariant + " ";
    text += one.judged == Duration::zero() ? "not judged" : fixed(100 * one.share(), 0) + " %";
  }
  return text;
}

std::string judged_text(const Comparison& comparison) {
  std::string text;
  for (const Side& side : comparison.sides) {
    const std::string judged = judged_text(side);
    if (!judged.empty()) text += (text.empty() ? "" : "; ") + side.name + " " + judged;
  }
  return text.empty()
             ? text
             : "Trees and groups could be checked for this share of the run: " + text + ".";
}

ComparisonRow in_fitting_unit(ComparisonRow row) {
  double largest = 0;
  for (const Estimate& mean : row.means)
    if (mean.exists()) largest = std::max(largest, std::fabs(mean.value));
  const FittingUnit unit = fitting_unit(row.unit, largest);
  row.unit = unit.name;
  for (Estimate& mean : row.means) mean = in_unit(mean, unit);
  for (Versus& versus : row.versus) versus.difference = in_unit(versus.difference, unit);
  return row;
}

FittingUnit fitting_unit(const std::string& unit, double largest) {
  constexpr double hour = 3600;
  constexpr double day = 24 * hour;
  if (unit != "s" || std::fabs(largest) < 10'000) return {unit};
  return largest < 10 * day ? FittingUnit{"h", hour} : FittingUnit{"d", day};
}

Estimate in_unit(Estimate estimate, const FittingUnit& unit) {
  estimate.value /= unit.size;
  if (estimate.interval)
    estimate.interval =
        Interval{estimate.interval->low / unit.size, estimate.interval->high / unit.size};
  return estimate;
}

std::string heading(const ComparisonRow& row) { return heading_in(*row.metric, row.unit); }

std::string lone_heading(const ComparisonRow& row) {
  return row.metric->alone.empty() ? heading(row) : row.metric->alone;
}

std::string lone_heading(const Metric& metric, const std::string& unit) {
  return metric.alone.empty() ? heading_in(metric, unit) : metric.alone;
}

std::string lone_heading(const Metric& metric) { return lone_heading(metric, metric.unit); }

std::string winner_text(const Comparison& comparison) {
  if (!comparison.winner) return {};
  const Winner& winner = *comparison.winner;
  const Metric& metric = *winner.metric;
  const std::string by = metric.alone.empty() ? metric.title : metric.alone;
  const auto better = metric.better;
  const Side& ahead = comparison.sides[winner.best];
  const std::string best = ahead.name + (ahead.violated > 0 ? " (with broken invariants)" : "");
  const std::string& second = comparison.sides[winner.second].name;
  const auto proves_nothing = [](const Side& side) { return side.invalid + side.steered > 0; };
  if (std::ranges::any_of(comparison.sides, proves_nothing))
    return "No winner by " + by + ": runs that are invalid or were steered prove nothing.";
  switch (winner.versus.verdict) {
    case Verdict::too_few:
      return "Best by " + by + ": " + best + ", but a single run says nothing about chance.";
    case Verdict::not_distinguishable:
      return "No winner by " + by + ": " + best + " and " + second +
             (equal(winner.versus) ? " are equal." : " are not distinguishable.");
    case Verdict::not_comparable:
      return "No winner by " + by + ": runs did not do the same work.";
    case Verdict::less:
    case Verdict::more:
      return "Best by " + by + ": " + best + ", " + advantage(winner.versus) +
             (better == Better::less ? " less than " : " more than ") + second + ".";
    case Verdict::inapplicable:
      break;
  }
  return {};
}

std::string method_text(const Comparison& comparison) {
  std::string text =
      "Means with " + fixed(100 * comparison.confidence, 0) + " % intervals (Student's t).";
  if (comparison.sides.size() < 2) return text;
  const bool paired = comparison.rows.front().versus.back().paired;
  return text + " Ratios to " + comparison.sides.front().name + " by Fieller's theorem, " +
         (paired ? "paired by seed" : "unpaired (Welch)") +
         ". Each metric is judged by itself: by chance, one of " +
         fixed(1 / std::max(1 - comparison.confidence, 1e-6), 0) +
         " intervals misses the true value.";
}

std::string difference_note(const Comparison& comparison, bool all) {
  const auto differs = [](const Versus& versus) {
    const Estimate& difference = versus.difference;
    const bool signed_text = difference.value != 0 || difference.interval;
    return difference.exists() && signed_text && !equal(versus) && !ratio_known(versus);
  };
  for (const ComparisonRow& row : comparison.rows)
    if ((all || comparison.headline(row)) &&
        std::any_of(row.versus.begin() + 1, row.versus.end(), differs))
      return "A figure with a sign is a difference, where the reference may be 0 and no ratio "
             "exists.";
  return {};
}

}  // namespace rhizome::tools
