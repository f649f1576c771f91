#include "scenarios/text/setting_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/quantity.hpp"
#include "scenarios/text/shortest.hpp"

namespace rhizome::scenarios {

using core::SettingKind;
using core::SettingValue;

namespace {

template <class T>
std::optional<SettingValue> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return {};
  return SettingValue(value);
}

template <class T>
std::optional<SettingValue> as_value(const std::optional<T>& value) {
  if (!value) return {};
  return SettingValue(*value);
}

}  // namespace

std::optional<SettingValue> setting_value(const core::Setting& setting, std::string_view text) {
  switch (setting.kind) {
    case SettingKind::boolean:
      if (text == "true" || text == "false") return SettingValue(text == "true");
      return {};
    case SettingKind::integer:
      return number<std::int64_t>(text);
    case SettingKind::real:
      return number<double>(text);
    case SettingKind::text:
      return SettingValue(std::string(text));
    case SettingKind::choice:
      if (std::ranges::find(setting.choices, text) == setting.choices.end()) return {};
      return SettingValue(std::string(text));
    case SettingKind::duration:
      return as_value(parse_duration(text));
    case SettingKind::rate:
      return as_value(parse_rate(text));
  }
  return {};
}

std::string setting_text(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, bool>)
          return held ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return std::to_string(held);
        else if constexpr (std::is_same_v<T, double>)
          return shortest(held);
        else if constexpr (std::is_same_v<T, std::string>)
          return held;
        else if constexpr (std::is_same_v<T, core::Duration>)
          return duration_text(held);
        else
          return rate_text(held);
      },
      value);
}

}  // namespace rhizome::scenarios
