#include "scenarios/text/quantity.hpp"

#include <charconv>
#include <cmath>

namespace rhizome::scenarios {

std::optional<std::int64_t> parse_quantity(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{}) return {};
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    const double total = std::round(number * static_cast<double>(unit.size));
    if (!(std::abs(total) < 9.2e18)) return {};
    return static_cast<std::int64_t>(total);
  }
  return {};
}

std::string quantity_text(std::int64_t quantity, std::span<const Unit> units) {
  for (const Unit& unit : units)
    if (quantity % unit.size == 0)
      return std::to_string(quantity / unit.size) + std::string(unit.name);
  return std::to_string(quantity) + std::string(units.back().name);
}

}  // namespace rhizome::scenarios
