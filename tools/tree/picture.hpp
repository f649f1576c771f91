// The sheet on which a tree or an overlay is drawn: 1000 wide, and 60 more high for the legend.
#pragma once

#include <string>

#include "tools/markup/markup.hpp"

namespace rhizome::tools {

// An SVG document with a title, a description and a white ground.
inline Markup blank_picture(const std::string& title, const std::string& description) {
  Markup picture("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                         {"viewBox", "0 0 1000 1060"},
                         {"width", "1000"},
                         {"height", "1060"},
                         {"role", "img"},
                         {"font-family", "sans-serif"}});
  Element svg = picture.root();
  svg.end_line();
  svg.add("title").text(title);
  svg.end_line();
  svg.add("desc").text(description);
  svg.end_line();
  svg.add("rect", {{"width", "1000"}, {"height", "1060"}, {"fill", "white"}});
  svg.end_line();
  return picture;
}

}  // namespace rhizome::tools
