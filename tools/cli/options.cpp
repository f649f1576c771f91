#include "tools/cli/options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

Option output_option(const std::vector<std::string>& others) {
  Option option{
      .name = "output", .letter = 'o', .value = "FORMAT", .help = {}, .choices = {"text"}};
  const std::span<const std::string> all(others);
  const auto first = all.first(all.size() - 1);
  option.help = fmt::format("text (the default){}{} or {}", first.empty() ? "" : ", ",
                            fmt::join(first, ", "), all.back());
  option.choices.insert(option.choices.end(), others.begin(), others.end());
  return option;
}

Option set_option(std::string help) {
  return {.name = "set",
          .letter = 's',
          .value = "KEY=VALUE",
          .help = std::move(help),
          .repeatable = true};
}

Option repetitions_option(std::string help) {
  return {.name = "repetitions", .letter = 'n', .value = "N", .help = std::move(help)};
}

Option seed_option() {
  return {.name = "seed", .value = "N", .help = "short for --set run.seed=N"};
}

Option schedulers_option() {
  return {.name = "scheduler",
          .value = "SCHEDULER",
          .help = "run only this scheduler: its label or use; =LABEL is a label only (repeatable)",
          .repeatable = true};
}

Option all_option() {
  return {.name = "all",
          .letter = 'a',
          .help = "print every metric; of a sweep, the tables of every cell"};
}

Option runs_dir_option() {
  return {.name = "runs-dir", .value = "DIR", .help = "the folder of run directories (runs)"};
}

std::filesystem::path runs_folder(const Arguments& arguments, const std::string& option,
                                  const std::filesystem::path& usual) {
  if (const auto named = arguments.text(option)) return *named;
  std::filesystem::path folder;
  for (const std::filesystem::path& name : usual) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(folder /= name, ignored))
      throw UsageError(
          folder.string() + " is a link to " +
          scenarios::plain_text(std::filesystem::read_symlink(folder, ignored).string()) +
          ", which may have come with somebody else's files: if it is yours, say --" + option +
          " " + usual.string());
  }
  return usual;
}

Command reading(Command command) {
  command.reads = true;
  command.options.push_back(trusted_option());
  return command;
}

Option trusted_option() {
  return {.name = "trusted", .help = "read it whatever memory and time that takes"};
}

Option quiet_option() { return {.name = "quiet", .letter = 'q', .help = "print no progress"}; }

std::vector<Option> joined(const std::vector<std::vector<Option>>& lists) {
  std::vector<Option> all;
  for (const std::vector<Option>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace rhizome::tools
