#include "scenarios/format/duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace rhizome::scenarios {

namespace {

// From the largest, so that writing finds the shortest text.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{{
    {"h", 3'600'000'000'000},
    {"min", 60'000'000'000},
    {"s", 1'000'000'000},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1},
}};

}  // namespace

std::optional<core::Duration> parse_duration(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{}) return {};
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  for (const auto& [name, nanoseconds] : units) {
    if (unit != name) continue;
    const double total = std::round(number * static_cast<double>(nanoseconds));
    if (!(std::abs(total) < 9.2e18)) return {};
    return core::Duration(static_cast<std::int64_t>(total));
  }
  return {};
}

std::string duration_text(core::Duration duration) {
  if (duration.count() == 0) return "0ms";
  for (const auto& [name, nanoseconds] : units)
    if (duration.count() % nanoseconds == 0)
      return std::to_string(duration.count() / nanoseconds) + std::string(name);
  return std::to_string(duration.count()) + "ns";
}

}  // namespace rhizome::scenarios
