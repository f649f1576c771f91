#include "core/peer/setting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace rhizome::core {

namespace {

std::string number(double value) { return fmt::format("{:.10g}", value); }

std::string out_of_bounds(double value, const SettingDoc& doc, std::string_view unit) {
  if (std::isnan(value)) return "must be a number";
  if (value < doc.least) return "must be at least " + number(doc.least) + std::string(unit);
  if (value > doc.most) return "must be at most " + number(doc.most) + std::string(unit);
  return {};
}

}  // namespace

std::string Setting::refusal(const SettingValue& value) const {
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return out_of_bounds(static_cast<double>(*integer), doc, "");
  if (const auto* real = std::get_if<double>(&value)) return out_of_bounds(*real, doc, "");
  if (const auto* duration = std::get_if<Duration>(&value))
    return out_of_bounds(seconds(*duration), doc, " s");
  if (const auto* rate = std::get_if<Rate>(&value))
    return out_of_bounds(static_cast<double>(rate->bits_per_second), doc, " bit/s");
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || kind != SettingKind::choice) return {};
  if (std::find(choices.begin(), choices.end(), *text) != choices.end()) return {};
  std::string reason = "must be one of";
  for (const std::string& choice : choices) reason += " \"" + choice + "\"";
  return reason;
}

}  // namespace rhizome::core
