#include "scenarios/text/rate_text.hpp"

#include <array>

#include "scenarios/text/quantity.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::array<Unit, 4> units_of_rate{
    {{"Gbit/s", 1'000'000'000}, {"Mbit/s", 1'000'000}, {"kbit/s", 1'000}, {"bit/s", 1}}};

}  // namespace

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
