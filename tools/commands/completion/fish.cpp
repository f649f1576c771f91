// The completion of fish: a line for each option.
#include <fmt/ranges.h>

#include <string>

#include "tools/cli/command.hpp"
#include "tools/commands/completion/values.hpp"

namespace rhizome::tools {

namespace {

using From = ValueKind::From;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// How fish finds the values of a kind.
std::string fish_search(const ValueKind& kind) {
  switch (kind.from) {
    case From::files:
      return kind.words.empty() ? " -F"
                                : " -k -a '(__fish_complete_suffix " + kind.words.front() + ")'";
    case From::directories:
      return " -a '(__fish_complete_directories)'";
    case From::runs:
      return " -a '(__rhizome_runs)'";
    case From::words:
      break;
  }
  return " -a '$__rhizome_" + kind.name + "'";
}

std::string fish_line(const std::string& condition, const std::string& rest) {
  return "complete -c rhizome -n '" + condition + "'" + rest + "\n";
}

std::string fish_option(const std::string& seen, const Option& option) {
  std::string rest = " -l " + option.name;
  if (option.letter != '\0') rest += " -s " + std::string(1, option.letter);
  if (!option.value.empty() && option.value.front() != '[') rest += " -r";
  if (!option.choices.empty())
    rest += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
  else
    for (const ValueKind* kind : kinds_of(option.value)) rest += fish_search(*kind);
  return fish_line(seen, rest + " -d '" + escaped(option.help) + "'");
}

std::string fish_command(const Command& command) {
  const std::string name(command.name);
  const std::string seen = "__fish_seen_subcommand_from " + name;
  std::string script =
      fish_line("__fish_use_subcommand",
                " -a " + name + " -d '" + escaped(std::string(command.summary)) + "'");
  for (const ValueKind* kind : kinds_of(command.positional))
    script += fish_line(seen, fish_search(*kind));
  for (const Option& option : command.options) script += fish_option(seen, option);
  return script;
}

}  // namespace

// Files are offered only where they are asked for, and run directories by names that they are
// given.
std::string fish_script() {
  std::string script =
      "function __rhizome_runs\n  for record in runs/*/run.json\n"
      "    set -l name (string split -- / $record)[2]\n"
      "    string match -qr '^[A-Za-z0-9._][A-Za-z0-9._-]*\\z' -- $name; and echo $name\n"
      "  end\nend\ncomplete -c rhizome -f\n";
  for (const ValueKind& kind : value_kinds())
    if (kind.from == From::words)
      script += fmt::format("set -g __rhizome_{} {}\n", kind.name, fmt::join(kind.words, " "));
  for (const Command& command : commands()) script += fish_command(command);
  for (const AfterWords& after : after_words)
    script +=
        fish_line(fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}",
                              after.command, after.first),
                  fmt::format(" -a '$__rhizome_{}'", after.kind));
  return script;
}

}  // namespace rhizome::tools
