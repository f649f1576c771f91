// A report: one self-contained page, which loads nothing from the network.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/names.hpp"
#include "tools/report/document.hpp"
#include "tools/report/material.hpp"

namespace rhizome::tools {

// The charts that the page shows, in its order, for SVG files.
[[nodiscard]] std::vector<Chart> report_charts(std::span<const Material> materials);

[[nodiscard]] std::string report_page(std::span<const Material> materials,
                                      const PageLibrary& library);

}  // namespace rhizome::tools
