#include "tools/chart/bundles.hpp"

// The files lie in the program as they are; CHART_BUNDLES is the folder they are made in.
#define RHIZOME_CARRY(name, file)         \
  asm(".section .rodata\n"                \
      ".global rhizome_" name             \
      "_begin\n"                          \
      ".global rhizome_" name             \
      "_end\n"                            \
      "rhizome_" name                     \
      "_begin:\n"                         \
      ".incbin \"" CHART_BUNDLES "/" file \
      "\"\n"                              \
      "rhizome_" name                     \
      "_end:\n"                           \
      ".byte 0\n"                         \
      ".text\n")

RHIZOME_CARRY("page_script", "page.js");
RHIZOME_CARRY("svg_script", "render_svg.mjs");
RHIZOME_CARRY("chart_licences", "licences.txt");

extern "C" {
extern const char rhizome_page_script_begin[];
extern const char rhizome_page_script_end[];
extern const char rhizome_svg_script_begin[];
extern const char rhizome_svg_script_end[];
extern const char rhizome_chart_licences_begin[];
extern const char rhizome_chart_licences_end[];
}

namespace rhizome::tools {

std::string_view page_script() { return {rhizome_page_script_begin, rhizome_page_script_end}; }
std::string_view svg_script() { return {rhizome_svg_script_begin, rhizome_svg_script_end}; }
std::string_view chart_licences() {
  return {rhizome_chart_licences_begin, rhizome_chart_licences_end};
}

}  // namespace rhizome::tools
