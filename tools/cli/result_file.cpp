#include "tools/cli/result_file.hpp"

#include <cstdio>

#include "scenarios/text/whole_file.hpp"

namespace rhizome::tools {

bool is_output(std::string_view file) { return file == "-"; }

void write_result(const std::string& file, std::string_view text) {
  if (is_output(file))
    std::fwrite(text.data(), 1, text.size(), stdout);
  else
    scenarios::write_whole(file, text);
}

}  // namespace rhizome::tools
