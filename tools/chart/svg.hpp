// Charts as SVG and PDF files, drawn by the bundled library in Node.js.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tools/chart/chart.hpp"

namespace rhizome::tools {

// Node.js is missing, or could not draw; the text tells a remedy.
class ChartsUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Empty when SVG can be drawn, else why not, as a sentence.
[[nodiscard]] std::string why_no_svg();

// One SVG text for each chart. Throws ChartsUnavailable, or scenarios::CannotWrite where there is
// no room for temporary files.
[[nodiscard]] std::vector<std::string> draw_svgs(std::span<const Chart> charts);

// Empty when PDF can be drawn, else why not, as a sentence.
[[nodiscard]] std::string why_no_pdf();

// Writes FOLDER/ID.pdf for every chart, by rsvg-convert; throws the same as write_svgs.
void write_pdfs(std::span<const Chart> charts, const std::filesystem::path& folder,
                mode_t rights = 0644);

// Writes FOLDER/ID.svg for every chart. Throws ChartsUnavailable, or scenarios::CannotWrite.
void write_svgs(std::span<const Chart> charts, const std::filesystem::path& folder,
                mode_t rights = 0644);

// The chart library, which every build carries: see tools/chart/bundle.
// A script for pages: window.rhizomeEmbed(element, spec, options).
[[nodiscard]] std::string_view page_script();
// A script for Node.js: see render_svg.mjs.
[[nodiscard]] std::string_view svg_script();
// The licences of the contents of both.
[[nodiscard]] std::string_view chart_licences();

}  // namespace rhizome::tools
