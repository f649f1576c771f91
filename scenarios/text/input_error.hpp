// Errors in the input of a user, and where they stand; main prints them and exits with status 65.
#pragma once

#include <compare>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace rhizome::scenarios {

class InputError : public std::runtime_error {
 public:
  // Line and column count from 1; line 0 means input without lines, such as an option. `message` is
  // one sentence without the position.
  InputError(const std::string& file, std::size_t line, std::size_t column,
             const std::string& message);
  // Several errors at once: `lines` has a line for each, with its position.
  struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  InputError(Place first, const std::string& lines) : std::runtime_error(lines), place_(first) {}

  [[nodiscard]] Place place() const { return place_; }

 private:
  Place place_;
};

// A file that cannot be read; main exits with status 66.
class UnreadableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where something was written, for messages.
struct Position {
  std::string file;
  std::size_t line = 1;
  std::size_t column = 1;
};

// Throws InputError.
[[noreturn]] void refuse(const Position& at, const std::string& message);

}  // namespace rhizome::scenarios
