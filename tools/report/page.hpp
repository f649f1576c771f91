// A report: one self-contained page, which loads nothing from the network.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/names.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

// The library that draws the charts, and its licences: see tools/chart/bundles.hpp.
struct PageLibrary {
  std::string_view script;
  std::string_view licences;
};

// The charts that the page shows, in its order, for SVG files.
[[nodiscard]] std::vector<Chart> report_charts(std::span<const Material> materials);

[[nodiscard]] std::string report_page(std::span<const Material> materials,
                                      const PageLibrary& library);

}  // namespace rhizome::tools
