#include "tools/cli/output.hpp"

#include <cstdio>
#include <string>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

using scenarios::WholeFile;

void print_text(std::string_view text) {
  const std::string plain = scenarios::plain_lines(text);
  std::fwrite(plain.data(), 1, plain.size(), stdout);
}

void print_line(std::string_view line) {
  print_text(std::string(line) + "\n");
  std::fflush(stdout);
}

bool is_output(std::string_view file) { return file == "-"; }

WholeFile::Name name_by(const Arguments& arguments, const std::string& option) {
  return arguments.has(option) ? WholeFile::Name::chosen : WholeFile::Name::implied;
}

std::filesystem::path folder_of_result(const std::string& file) {
  if (is_output(file)) return "/";
  return scenarios::led_to(std::filesystem::absolute(file)).parent_path();
}

void write_result(const std::string& file, std::string_view text, WholeFile::Name name,
                  mode_t rights) {
  if (is_output(file))
    std::fwrite(text.data(), 1, text.size(), stdout);
  else
    scenarios::write_whole(file, text, name, rights);
}

}  // namespace rhizome::tools
