// Boxes: panels side by side. Each column of panels has one frame, and each panel has a title.
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
  std::function<void(TextGrid&)> put;  // draws the content on a grid of the inner size
};

// Draws the boxes below each other from that column and line on, within `size`; the last box takes
// the remaining height. Boxes that do not fit are left out.
void put_boxes(TextGrid& grid, std::size_t column, std::size_t line, Size size,
               const std::vector<Box>& boxes, Script script);

}  // namespace rhizome::tools
