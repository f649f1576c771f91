// A grid: a screen as a value. Screens are made of grids and tested as text; only the terminal
// knows how one is drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

struct Size {
  std::size_t width = 80;
  std::size_t height = 24;
  friend bool operator==(const Size&, const Size&) = default;
};

// The style of a cell's text; it must never be the only sign of anything.
enum class Style : std::uint8_t { plain, strong, faint, good, doubtful, bad, chosen };

struct GridCell {
  std::string text = " ";  // one character, as wide as the cell
  Style style = Style::plain;
};

class TextGrid {
 public:
  explicit TextGrid(Size size) : size_(size), cells_(size.width * size.height) {}

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] const GridCell& at(std::size_t column, std::size_t line) const {
    return cells_[line * size_.width + column];
  }
  // Writes from there to the right, as far as there is room, and returns the column after it. A
  // character that is not as wide as a cell becomes '?'. Beyond the grid it does nothing.
  std::size_t put(std::size_t column, std::size_t line, std::string_view text,
                  Style style = Style::plain);
  // The same so that it ends before that column.
  void put_before(std::size_t column, std::size_t line, std::string_view text,
                  Style style = Style::plain);
  // Another grid, with its first cell there.
  void put(std::size_t column, std::size_t line, const TextGrid& other);
  // A whole line looks so.
  void mark(std::size_t line, Style style);

  // The lines of the grid without trailing spaces, each with a line break.
  [[nodiscard]] std::string text() const;

 private:
  Size size_;
  std::vector<GridCell> cells_;
};

// How many cells a text takes.
[[nodiscard]] std::size_t width_of(std::string_view text);
// The longest beginning of the text that takes no more than so many cells.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t cells);

}  // namespace rhizome::tools
