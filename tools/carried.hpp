// Files contained in the program: published results with their studies, the style sheet and the
// script of reports, the chart library. tools/CMakeLists.txt lists them.
#pragma once

#include <span>
#include <string_view>

namespace rhizome::tools {

struct CarriedFile {
  std::string_view name;  // "reproductions/fig5-1.toml"
  std::string_view text;
};
[[nodiscard]] std::span<const CarriedFile> carried_files();

// The text of the file of that name; "" where there is none.
[[nodiscard]] inline std::string_view carried_file(std::string_view name) {
  for (const CarriedFile& file : carried_files())
    if (file.name == name) return file.text;
  return {};
}

}  // namespace rhizome::tools
