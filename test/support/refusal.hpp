// The parser's error for a scenario that must be refused.
#pragma once

#include <string>

#include "scenarios/format/parser.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::test {

// The rest of a scenario besides the keys that a test is about.
inline const std::string tail = "[[scheduler]]\nuse = \"organic-grid\"\n";

// The InputError that this throws, in words; "accepted" where it throws none.
template <class Read>
std::string refusal_by(Read read) {
  try {
    read();
  } catch (const scenarios::InputError& error) {
    return error.what();
  }
  return "accepted";
}

namespace whole {

// Of a whole scenario.
inline std::string refusal(const std::string& text, const scenarios::Overrides& overrides = {}) {
  return refusal_by(
      [&] { static_cast<void>(scenarios::parse_scenario(text, "s.toml", overrides)); });
}

}  // namespace whole

// Of the keys that a test is about, with the tail.
inline std::string refusal(const std::string& text, const scenarios::Overrides& overrides = {}) {
  return whole::refusal(text + tail, overrides);
}

}  // namespace rhizome::test
