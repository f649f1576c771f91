#include "tools/cli/result_file.hpp"

#include <cstdio>

namespace rhizome::tools {

using scenarios::WholeFile;

bool is_output(std::string_view file) { return file == "-"; }

WholeFile::Name name_by(const Arguments& arguments, const std::string& option) {
  return arguments.has(option) ? WholeFile::Name::chosen : WholeFile::Name::implied;
}

void write_result(const std::string& file, std::string_view text, WholeFile::Name name) {
  if (is_output(file))
    std::fwrite(text.data(), 1, text.size(), stdout);
  else
    scenarios::write_whole(file, text, name);
}

}  // namespace rhizome::tools
