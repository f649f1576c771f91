// Boxes: panels side by side, each column of them in one frame with a title above each.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tools/monitor/grid.hpp"
#include "tools/monitor/marks.hpp"

namespace rhizome::tools {

struct Box {
  std::string title;
  std::size_t height = 1;              // inside
  std::function<void(TextGrid&)> put;  // what is inside, on a grid of that size
};

// From that column and line on, so wide and high as `size` says; the last box takes what is left.
// Boxes that find no room are left out.
void put_boxes(TextGrid& grid, std::size_t column, std::size_t line, Size size,
               const std::vector<Box>& boxes, Script script);

}  // namespace rhizome::tools
