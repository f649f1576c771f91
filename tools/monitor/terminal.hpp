// The terminal: draws grids and reads keys. The one door to ncurses lies behind it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "tools/monitor/grid.hpp"
#include "tools/monitor/marks.hpp"

namespace rhizome::tools {

// There is no terminal, or none that can be drawn on; the text tells a remedy.
class NoTerminal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Key {
  enum class Kind : std::uint8_t {
    character,
    up,
    down,
    page_up,
    page_down,
    left,
    right,
    home,
    end,
    enter,
    backspace,
    escape,
    resized
  };
  Kind kind = Kind::character;
  char character = '\0';
};

// Takes over the terminal while it lives, and restores it afterwards. One object at a time.
class Terminal {
 public:
  // Whether standard input and output are a terminal, and this process is in its foreground.
  [[nodiscard]] static bool is_there();
  // Throws NoTerminal unless standard input and output are a terminal that can be drawn on.
  static void check();
  // Throws the same, and where ncurses does not know the terminal.
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] Size size() const;
  [[nodiscard]] Script script() const { return script_; }
  // Draws what has changed, and once in a second everything, over what other programs wrote there.
  void show(const TextGrid& grid);
  // The next pressed key, if any; does not wait.
  [[nodiscard]] std::optional<Key> key();

 private:
  Script script_ = Script::ascii;
  bool coloured_ = false;
  std::chrono::steady_clock::time_point drawn_{};  // all of it
};

}  // namespace rhizome::tools
