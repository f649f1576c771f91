#include "scenarios/format/value.hpp"

#include <algorithm>
#include <optional>

#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/quantity.hpp"

namespace rhizome::scenarios {

using core::SettingKind;
using core::SettingValue;

namespace {

// The value, if the scalar has the right type for it.
std::optional<SettingValue> convert(SettingKind kind, const Scalar& scalar) {
  const auto* text = std::get_if<std::string>(&scalar);
  const auto* integer = std::get_if<std::int64_t>(&scalar);
  switch (kind) {
    case SettingKind::boolean:
      if (const auto* value = std::get_if<bool>(&scalar)) return *value;
      break;
    case SettingKind::integer:
      if (integer != nullptr) return *integer;
      break;
    case SettingKind::real:
      if (integer != nullptr) return static_cast<double>(*integer);
      if (const auto* value = std::get_if<double>(&scalar)) return *value;
      break;
    case SettingKind::text:
    case SettingKind::choice:
      if (text != nullptr) return *text;
      break;
    case SettingKind::duration:
      if (text == nullptr) break;
      if (const auto duration = parse_duration(*text)) return *duration;
      break;
    case SettingKind::rate:
      if (text == nullptr) break;
      if (const auto rate = parse_rate(*text)) return *rate;
      break;
  }
  return {};
}

// A quantity in the right form that is too much to be held.
std::string beyond_count(const core::Setting& setting, const Scalar& scalar) {
  const auto* text = std::get_if<std::string>(&scalar);
  if (text == nullptr) return {};
  if (setting.kind == SettingKind::duration && is_beyond_duration(*text))
    return "at most " + duration_text(core::from_seconds(std::min(setting.doc.most, 9e9)));
  if (setting.kind == SettingKind::rate && is_beyond_rate(*text))
    return "at most " + rate_text({static_cast<std::int64_t>(std::min(setting.doc.most, 9e18))});
  return {};
}

}  // namespace

std::string kind_text(const core::Setting& setting) {
  switch (setting.kind) {
    case SettingKind::boolean:
      return "true or false";
    case SettingKind::integer:
      return "a whole number";
    case SettingKind::real:
      return "a number";
    case SettingKind::text:
      return "a text";
    case SettingKind::duration:
      return "a duration with its unit, such as \"250ms\" (ns, us, ms, s, min, h, d)";
    case SettingKind::rate:
      return "a rate with its unit, such as \"10Mbit/s\" (bit/s, kbit/s, Mbit/s, Gbit/s)";
    case SettingKind::choice:
      break;
  }
  return "one of its words";
}

void assign_setting(const core::Setting& setting, void* object, const Entry& entry) {
  const bool as_typed = setting.kind == SettingKind::text && !entry.typed.empty();
  const Scalar scalar = as_typed ? Scalar(entry.typed) : entry.values.front().scalar;
  const Position& at = entry.values.front().at;
  const auto value = convert(setting.kind, scalar);
  if (!value) {
    const std::string bound = beyond_count(setting, scalar);
    refuse(at, "\"" + setting.name + "\" must be " + (bound.empty() ? kind_text(setting) : bound) +
                   ", not " + toml_text(scalar));
  }
  std::string reason = setting.refusal(*value);
  if (!reason.empty() && setting.kind == SettingKind::choice)
    reason = "cannot be " + toml_text(scalar) +
             suggestion(std::get<std::string>(scalar), setting.choices);
  if (!reason.empty()) refuse(at, "\"" + setting.name + "\" " + reason);
  setting.assign(object, *value);
}

Scalar scalar_of(const core::Setting& setting, const void* object) {
  return std::visit(
      [](const auto& value) -> Scalar {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, core::Duration>) {
          return duration_text(value);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, core::Rate>) {
          return rate_text(value);
        } else {
          return value;
        }
      },
      setting.read(object));
}

}  // namespace rhizome::scenarios
