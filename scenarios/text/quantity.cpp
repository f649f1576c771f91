#include "scenarios/text/quantity.hpp"

#include <array>
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

constexpr std::array<Unit, 4> units_of_rate{
    {{"Gbit/s", 1'000'000'000}, {"Mbit/s", 1'000'000}, {"kbit/s", 1'000}, {"bit/s", 1}}};

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

std::optional<core::Rate> parse_rate(std::string_view text) {
  const auto bits = parse_quantity(text, units_of_rate);
  if (!bits) return {};
  return core::Rate{*bits};
}

bool is_beyond_rate(std::string_view text) { return is_beyond_count(text, units_of_rate); }

std::string rate_text(core::Rate rate) {
  if (rate.bits_per_second == 0) return "0bit/s";
  return quantity_text(rate.bits_per_second, units_of_rate);
}

}  // namespace rhizome::scenarios
