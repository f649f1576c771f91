#include <cstdio>
#include <filesystem>
#include <string>

#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/cli/result_file.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/guide/starter.hpp"

namespace rhizome::tools {

namespace {

// What is there may be somebody's work, whatever it is.
void check_free(const std::string& file) {
  std::error_code error;
  if (std::filesystem::symlink_status(file, error).type() != std::filesystem::file_type::not_found)
    throw scenarios::CannotWrite(file +
                                 " is there already, and is left as it is: give another name, as "
                                 "in rhizome init another.toml");
}

void show_next_steps(const std::string& file) {
  const std::string word = shell_word(file);
  std::printf("Wrote %s, a comparison of two schedulers. Try next:\n\n",
              scenarios::plain_text(file).c_str());
  std::printf("  rhizome run %s\n", scenarios::plain_text(word).c_str());
  std::printf("  rhizome run %s --set 'workload.jobs=[20, 80]'\n",
              scenarios::plain_text(word).c_str());
  std::printf("  rhizome report latest\n");
  std::printf("  rhizome list keys workload\n");
}

}  // namespace

Exit init_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  const std::string file = words.empty() ? "scenario.toml" : words.front();
  if (!is_output(file)) check_free(file);
  write_result(file, starter_scenario());
  if (!is_output(file)) show_next_steps(file);
  return Exit::holds;
}

}  // namespace rhizome::tools
