// Values of settings as one word of a line, where no syntax tells numbers from texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/peer/setting.hpp"

namespace rhizome::scenarios {

// Nothing for a text that is no value of the setting's kind; bounds are not looked at.
[[nodiscard]] std::optional<core::SettingValue> setting_value(const core::Setting& setting,
                                                              std::string_view text);

// The shortest exact text that setting_value reads back.
[[nodiscard]] std::string setting_text(const core::SettingValue& value);

}  // namespace rhizome::scenarios
