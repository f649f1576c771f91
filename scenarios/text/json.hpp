// The one door to nlohmann-json.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace rhizome::scenarios {

// Keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

// Indented, with a line's end; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string text_of(const Json& json);

// Nothing for text that is no JSON.
[[nodiscard]] std::optional<Json> parse_json(const std::string& text);

}  // namespace rhizome::scenarios
