#include "scenarios/text/duration_text.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <span>

#include "scenarios/text/quantity.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::array<Unit, 7> units_read{{{"d", 86'400'000'000'000},
                                          {"h", 3'600'000'000'000},
                                          {"min", 60'000'000'000},
                                          {"s", 1'000'000'000},
                                          {"ms", 1'000'000},
                                          {"us", 1'000},
                                          {"ns", 1}}};
// Written are hours at most.
constexpr std::span<const Unit> units_of_time = std::span(units_read).subspan<1>();

}  // namespace

std::optional<core::Duration> parse_duration(std::string_view text) {
  const auto nanoseconds = parse_quantity(text, units_read);
  if (!nanoseconds) return {};
  return core::Duration(*nanoseconds);
}

bool is_beyond_duration(std::string_view text) { return is_beyond_count(text, units_read); }

std::string duration_text(core::Duration duration) {
  if (duration.count() == 0) return "0ms";
  return quantity_text(duration.count(), units_of_time);
}

std::string rough_text(core::Duration duration) {
  for (const Unit& unit : units_of_time) {
    const double amount = static_cast<double>(duration.count()) / static_cast<double>(unit.size);
    if (std::abs(amount) >= 999.5) return fmt::format("{:.0f}{}", amount, unit.name);
    if (std::abs(amount) >= 1) return fmt::format("{:.3g}{}", amount, unit.name);
  }
  return duration_text(duration);
}

}  // namespace rhizome::scenarios
