#include "tools/monitor/panels/boxes.hpp"

#include <algorithm>
#include <string_view>

namespace rhizome::tools {

namespace {

struct Border {
  std::string_view left;
  std::string_view right;
};

void put_border(TextGrid& grid, std::size_t column, std::size_t line, std::size_t width,
                const Border& border, std::string_view title, Script script) {
  const std::string_view dash = script == Script::unicode ? "─" : "-";
  std::size_t at = grid.put(column, line, border.left, Style::faint);
  if (!title.empty()) {
    at = grid.put(at, line, dash, Style::faint);
    at = grid.put(at, line, " " + shortened(title, width - 5) + " ");
  }
  while (at + 1 < column + width) at = grid.put(at, line, dash, Style::faint);
  grid.put(at, line, border.right, Style::faint);
}

}  // namespace

void put_boxes(TextGrid& grid, std::size_t column, std::size_t line, Size size,
               const std::vector<Box>& boxes, Script script) {
  const bool unicode = script == Script::unicode;
  const std::string_view side = unicode ? "│" : "|";
  const Border plain{"+", "+"};
  const std::size_t end = line + size.height - 1;
  for (std::size_t i = 0; i < boxes.size() && line + 1 < end; ++i) {
    const Border first{"┌", "┐"};
    const Border next{"├", "┤"};
    put_border(grid, column, line++, size.width, unicode ? (i == 0 ? first : next) : plain,
               boxes[i].title, script);
    const bool last = i + 1 == boxes.size();
    const std::size_t height = last ? end - line : std::min(boxes[i].height, end - line);
    TextGrid inside({size.width - 2, height});
    boxes[i].put(inside);
    for (std::size_t y = 0; y < height; ++y) {
      grid.put(column, line + y, side, Style::faint);
      grid.put(column + size.width - 1, line + y, side, Style::faint);
    }
    grid.put(column + 1, line, inside);
    line += height;
  }
  const Border bottom{"└", "┘"};
  put_border(grid, column, line, size.width, unicode ? bottom : plain, "", script);
}

}  // namespace rhizome::tools
