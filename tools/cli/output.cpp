#include "tools/cli/output.hpp"

#include <cstdio>
#include <string>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

void print_text(std::string_view text) {
  const std::string plain = scenarios::plain_lines(text);
  std::fwrite(plain.data(), 1, plain.size(), stdout);
}

void print_line(std::string_view line) {
  print_text(std::string(line) + "\n");
  std::fflush(stdout);
}

}  // namespace rhizome::tools
