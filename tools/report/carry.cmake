# Writes OUT, a source file that carries the style sheet CSS and the script JS.
file(READ ${CSS} css)
file(READ ${JS} js)
file(WRITE ${OUT} "// Made by the build from tools/report.
#include \"tools/report/carried.hpp\"

namespace rhizome::tools {

std::string_view page_style() {
  return R\"carried(${css})carried\";
}
std::string_view page_drawing() {
  return R\"carried(${js})carried\";
}

}  // namespace rhizome::tools
")
