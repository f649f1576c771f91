// The chart library, which every build carries: see tools/chart/bundle.
#pragma once

#include <string_view>

namespace rhizome::tools {

// A script for pages: window.rhizomeEmbed(element, spec, options).
[[nodiscard]] std::string_view page_script();
// A script for Node.js: see render_svg.mjs.
[[nodiscard]] std::string_view svg_script();
// The licences of the contents of both.
[[nodiscard]] std::string_view chart_licences();

}  // namespace rhizome::tools
