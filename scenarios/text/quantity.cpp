#include "scenarios/text/quantity.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace rhizome::scenarios {

namespace {

constexpr double most = 9.2e18;

// The quantity in the smallest unit; nothing for any other text.
std::optional<double> read_quantity(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) number = std::numeric_limits<double>::max();
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  for (const Unit& unit : units)
    if (unit.name == name) return std::round(number * static_cast<double>(unit.size));
  return {};
}

}  // namespace

std::optional<std::int64_t> parse_quantity(std::string_view text, std::span<const Unit> units) {
  const std::optional<double> total = read_quantity(text, units);
  if (!total || !(std::abs(*total) < most)) return {};
  return static_cast<std::int64_t>(*total);
}

bool is_beyond_count(std::string_view text, std::span<const Unit> units) {
  const std::optional<double> total = read_quantity(text, units);
  return total && *total >= most;
}

std::string quantity_text(std::int64_t quantity, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (quantity % unit.size == 0)
      return std::to_string(quantity / unit.size) + std::string(unit.name);
  return std::to_string(quantity) + std::string(units.back().name);
}

}  // namespace rhizome::scenarios
