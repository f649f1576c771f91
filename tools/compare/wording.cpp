#include "tools/compare/wording.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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

// The figure decides, and its interval follows, so that both can be compared at a glance.
Scale scale_of(double value) {
  for (const Scale& scale : {Scale{1e12, "T"}, Scale{1e9, "G"}, Scale{1e6, "M"}})
    if (std::fabs(value) >= scale.divisor) return scale;
  return {1, ""};
}

// The larger end decides on the digits of both.
std::string signed_interval(const Estimate& difference) {
  double largest = std::fabs(difference.value);
  if (difference.interval)
    largest = std::max(
        {largest, std::fabs(difference.interval->low), std::fabs(difference.interval->high)});
  const Scale scale = scale_of(largest);
  const int decimals =
      decimals_of(largest / scale.divisor) > 2 ? 2 : decimals_of(largest / scale.divisor);
  const auto digits = [&](double value) { return fixed(value / scale.divisor, decimals); };
  std::string text = (difference.value > 0 ? "+" : "") + digits(difference.value);
  if (difference.interval)
    text +=
        " [" + digits(difference.interval->low) + ", " + digits(difference.interval->high) + "]";
  return text + scale.suffix;
}

// Four digits, and no more than three decimals.
std::string ratio_digits(double ratio) { return fixed(ratio, std::min(3, decimals_of(ratio))); }

// Bytes of the form 10xxxxxx continue a code point of UTF-8.
bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

// The first `columns` code points.
std::string_view front_of(std::string_view text, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_code_point(text[i]) && seen++ == columns) return text.substr(0, i);
  return text;
}

}  // namespace

std::string mean_text(const Estimate& estimate) {
  if (!estimate.exists()) return "n/a";
  const Scale scale = scale_of(estimate.value);
  const double scaled = estimate.value / scale.divisor;
  const int decimals = decimals_of(scaled);
  std::string text = fixed(scaled, decimals) + scale.suffix;
  if (estimate.interval) {
    const double half = (estimate.interval->high - estimate.interval->low) / 2;
    text += " ±" + fixed(half / scale.divisor, half == 0 ? 0 : decimals);
  }
  return text;
}

std::string versus_text(const Versus& versus) {
  if (!versus.difference.exists()) return "n/a";
  if (!std::isfinite(versus.ratio.value))
    return versus.difference.value == 0 ? "equal" : signed_interval(versus.difference);
  std::string text = ratio_digits(versus.ratio.value);
  if (versus.ratio.interval)
    text += " [" + ratio_digits(versus.ratio.interval->low) + ", " +
            ratio_digits(versus.ratio.interval->high) + "]";
  if (!versus.ratio.interval && versus.difference.interval) text += " [unbounded]";
  return text;
}

int merit(const Metric& metric, const Versus& versus) {
  const bool decided = versus.verdict == Verdict::less || versus.verdict == Verdict::more;
  if (!decided || metric.better == Better::neither) return 0;
  return (versus.verdict == Verdict::less) == (metric.better == Better::less) ? 1 : -1;
}

std::string verdict_text(const Metric& metric, const Versus& versus) {
  const int worth = merit(metric, versus);
  if (versus.verdict == Verdict::inapplicable) return {};  // the figures say so
  if (worth == 0) return std::string(name_of(versus.verdict));
  return worth > 0 ? "better" : "worse";
}

bool sound(const Side& side) {
  return side.invalid + side.suspect + side.unfinished + side.violated == 0;
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
  return text.empty() ? text : "Judged of the time in structures: " + text + ".";
}

std::string heading(const Metric& metric) {
  const bool said = metric.unit.empty() || metric.title.ends_with(metric.unit) ||
                    metric.title.starts_with(' ') || metric.title.starts_with(metric.unit);
  return said ? metric.title : metric.title + ", " + metric.unit;
}

std::string method_text(const Comparison& comparison) {
  std::string text =
      "Means with " + fixed(100 * comparison.confidence, 0) + " % intervals (Student's t).";
  if (comparison.sides.size() < 2) return text;
  const bool paired = comparison.rows.front().versus.back().paired;
  return text + " Ratios to " + comparison.sides.front().name + " by Fieller's theorem, " +
         (paired ? "paired by seed" : "unpaired (Welch)") +
         ". Each metric is judged by itself: of " +
         fixed(1 / std::max(1 - comparison.confidence, 1e-6), 0) +
         " intervals, one misses by chance.";
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
}

std::string fitted(std::string_view text, std::size_t columns) {
  const std::size_t wide = columns_of(text);
  if (wide > columns) return std::string(front_of(text, columns - 1)) + "…";
  return std::string(text) + std::string(columns - wide, ' ');
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t at = 0;  // columns used in this line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t wide = columns_of(word);
    if (at > 0 && at + 1 + wide > columns) {
      result += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (at > 0) {
      result += ' ';
      ++at;
    }
    result += word;
    at += wide;
  }
  return result + "\n";
}

std::string paragraph(std::string_view text, std::size_t columns, std::string_view prefix) {
  if (text.empty()) return {};
  std::string result(prefix);
  const std::string lines = wrapped(text, columns - columns_of(prefix), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) result += prefix;
  }
  return result;
}

}  // namespace rhizome::tools
