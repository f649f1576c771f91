#include "scenarios/text/setting_text.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/peer/number_text.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/quantity.hpp"
#include "scenarios/text/shortest.hpp"

namespace rhizome::scenarios {

using core::SettingKind;
using core::SettingValue;

namespace {

template <class T>
std::optional<SettingValue> as_value(const std::optional<T>& value) {
  if (!value) return {};
  return SettingValue(*value);
}

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::optional<SettingValue> setting_value(const core::Setting& setting, std::string_view text) {
  switch (setting.kind) {
    case SettingKind::boolean:
      if (text == "true" || text == "false") return SettingValue(text == "true");
      return {};
    case SettingKind::integer:
      return as_value(core::parse_number<std::int64_t>(text));
    case SettingKind::real:
      return as_value(finite(core::parse_number<double>(text)));
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
