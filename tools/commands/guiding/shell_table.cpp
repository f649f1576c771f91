// The entries of the commands that serve the shell.
#include "tools/commands/commands.hpp"

namespace rhizome::tools {

namespace {

Command man_entry() {
  return {
      .name = "man",
      .summary = "print the manual page, for man",
      .about = "The page has the help texts of all commands.",
      .examples = {"rhizome man | man -l -", "rhizome man > /usr/local/share/man/man1/rhizome.1"},
      .run = man_command};
}

Command completion_entry() {
  return {.name = "completion",
          .summary = "print a completion script for a shell",
          .positional = "SHELL",
          .about = "SHELL is bash, zsh or fish.",
          .examples = {"source <(rhizome completion bash)",
                       "rhizome completion fish > ~/.config/fish/completions/rhizome.fish"},
          .run = completion_command};
}

}  // namespace

std::vector<Command> shell_commands() { return {completion_entry(), man_entry()}; }

}  // namespace rhizome::tools
