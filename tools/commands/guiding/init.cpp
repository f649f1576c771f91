#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/child/own_folder.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/carried.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/guide/guide.hpp"

namespace rhizome::tools {

namespace {

// Refuses a path that exists, whatever it is: it may be the user's work.
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

// The files that the program carries for a language: the folder, the command that runs them, and
// the names.
struct Language {
  std::string folder;
  std::string command;
  std::vector<std::string> files;  // the first is the one to change
};
Language language_called(const std::string& name) {
  if (name == "python")
    return {
        .folder = name, .command = "python3 first.py", .files = {"first.py", "rhizome_peer.py"}};
  return {.folder = name, .command = "node first.js", .files = {"first.js", "rhizome_peer.js"}};
}

std::string with_program(std::string text, const Language& language) {
  for (const auto& [word, meaning] :
       {std::pair<std::string, std::string>("FIRST", language.files[0]),
        {"COMMAND", language.command}})
    text.replace(text.find(word), word.size(), meaning);
  return text;
}

// A program imports what others have put beside it.
void check_closed(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::exists(folder, ignored) &&
      (core::others_may_write(folder) || core::open_to_others(folder / "file")))
    throw scenarios::CannotWrite("other users may put files beside a program in " +
                                 folder.string() +
                                 ", and it would run them: name a folder of your own");
}

// Writes all files or none.
void init_program(const std::string& file, const Language& language) {
  if (is_output(file)) throw UsageError("--program writes several files, which - cannot hold");
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  check_closed(std::filesystem::absolute(file).parent_path());
  check_free(file);
  for (const std::string& name : language.files) check_free((folder / name).string());
  write_result(file, with_program(std::string(carried_file("guide/programs.toml")), language));
  for (const std::string& name : language.files)
    write_result((folder / name).string(), std::string(carried_file(language.folder + "/" + name)));
  const std::string word = scenarios::plain_text(shell_word(file));
  std::printf("Wrote %s, and beside it %s, a scheduler to change, with %s. Try next:\n\n",
              scenarios::plain_text(file).c_str(), language.files[0].c_str(),
              language.files[1].c_str());
  std::printf("  rhizome run %s\n", word.c_str());
  std::printf("  rhizome list keys scheduler.program\n");
}

}  // namespace

Exit init_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  const std::string file = words.empty() ? "scenario.toml" : words.front();
  if (const auto language = arguments.text("program")) {
    init_program(file, language_called(*language));
    return Exit::holds;
  }
  if (!is_output(file)) check_free(file);
  write_result(file, starter_scenario());
  if (!is_output(file)) show_next_steps(file);
  return Exit::holds;
}

}  // namespace rhizome::tools
