#include "tools/chart/bundles.hpp"

#include "tools/carried.hpp"

namespace rhizome::tools {

std::string_view page_script() { return carried_file("chart/page.js"); }
std::string_view svg_script() { return carried_file("chart/render_svg.mjs"); }
std::string_view chart_licences() { return carried_file("chart/licences.txt"); }

}  // namespace rhizome::tools
