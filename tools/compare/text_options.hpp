// How tables are to be shown to people.
#pragma once

#include <cstddef>

#include "tools/compare/layout.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct TextOptions {
  bool colour = false;  // ANSI: green is better, red is worse
  bool all = false;     // every metric, not only the headlines
  std::size_t columns = usual_page;
};

}  // namespace rhizome::tools
