// Where something was written, for messages.
#pragma once

#include <cstddef>
#include <string>

namespace rhizome::scenarios {

struct Position {
  std::string file;
  std::size_t line = 1;
  std::size_t column = 1;
};

// Throws InputError.
[[noreturn]] void refuse(const Position& at, const std::string& message);

}  // namespace rhizome::scenarios
