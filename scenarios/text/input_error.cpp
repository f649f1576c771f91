#include "scenarios/text/input_error.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace rhizome::scenarios {

namespace {

// A user's text may be a whole file in one word: only the beginning of a quoted text longer than
// this is shown.
std::string with_short_quotes(const std::string& message) {
  constexpr std::size_t most = 200;
  std::string made;
  std::size_t at = 0;
  while (at < message.size()) {
    const std::size_t open = message.find('"', at);
    const std::size_t close = open == std::string::npos ? open : message.find('"', open + 1);
    if (close == std::string::npos) break;
    const bool longer = close - open - 1 > most;
    made += message.substr(at, (longer ? open + 1 + most : close) - at) + (longer ? "...\"" : "\"");
    at = close + 1;
  }
  return made + message.substr(std::min(at, message.size()));
}

std::string with_position(const std::string& file, std::size_t line, std::size_t column,
                          const std::string& message) {
  if (line == 0) return fmt::format("{}: {}", file, message);
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

}  // namespace

InputError::InputError(const std::string& file, std::size_t line, std::size_t column,
                       const std::string& message)
    : std::runtime_error(with_position(file, line, column, with_short_quotes(message))),
      place_{line, column} {}

}  // namespace rhizome::scenarios
