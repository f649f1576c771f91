#include "scenarios/text/duration_text.hpp"

#include <array>

#include "scenarios/text/quantity.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::array<Unit, 6> units_of_time{{{"h", 3'600'000'000'000},
                                             {"min", 60'000'000'000},
                                             {"s", 1'000'000'000},
                                             {"ms", 1'000'000},
                                             {"us", 1'000},
                                             {"ns", 1}}};

}  // namespace

std::optional<core::Duration> parse_duration(std::string_view text) {
  const auto nanoseconds = parse_quantity(text, units_of_time);
  if (!nanoseconds) return {};
  return core::Duration(*nanoseconds);
}

bool is_beyond_duration(std::string_view text) { return is_beyond_count(text, units_of_time); }

std::string duration_text(core::Duration duration) {
  if (duration.count() == 0) return "0ms";
  return quantity_text(duration.count(), units_of_time);
}

}  // namespace rhizome::scenarios
