// The parser's error for a scenario that must be refused.
#pragma once

#include <string>

#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::test {

// The rest of a scenario besides the keys that a test is about.
inline const std::string tail = "[[scheduler]]\nuse = \"organic-grid\"\n";

// "accepted" where nothing is wrong.
inline std::string refusal(const std::string& text, const scenarios::Overrides& overrides = {}) {
  try {
    static_cast<void>(scenarios::parse_scenario(text + tail, "s.toml", overrides));
  } catch (const scenarios::InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace rhizome::test
