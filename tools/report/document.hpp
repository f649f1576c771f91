// The document of a report: the style sheet, what the page may do, and the scripts that draw its
// charts, around what it says.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tools/chart/chart.hpp"
#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// The library that draws the charts, and its licences: see tools/chart/bundles.hpp.
struct PageLibrary {
  std::string_view script;
  std::string_view licences;
};

// `charts`: all those for which `fill` adds a figure to the main element of the page.
[[nodiscard]] std::string document_of(const std::string& title, std::span<const Chart> charts,
                                      const PageLibrary& library,
                                      const std::function<void(Element main)>& fill);

}  // namespace rhizome::tools
