#include "scenarios/text/input_error.hpp"

#include <fmt/core.h>

namespace rhizome::scenarios {

namespace {

std::string with_position(const std::string& file, std::size_t line, std::size_t column,
                          const std::string& message) {
  if (line == 0) return fmt::format("{}: {}", file, message);
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

}  // namespace

InputError::InputError(const std::string& file, std::size_t line, std::size_t column,
                       const std::string& message)
    : std::runtime_error(with_position(file, line, column, message)), place_{line, column} {}

}  // namespace rhizome::scenarios
