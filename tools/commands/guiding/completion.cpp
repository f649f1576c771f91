// Prints files for use outside the program: completion scripts of shells, and the manual page.
#include <cstdio>
#include <string>

#include "tools/commands/commands.hpp"
#include "tools/commands/completion/values.hpp"
#include "tools/guide/guide.hpp"

namespace rhizome::tools {

namespace {

// The script of bash, which zsh understands.
std::string zsh_script() {
  return "#compdef rhizome\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script();
}

}  // namespace

Exit completion_command(const Arguments& arguments) {
  const std::string& shell = arguments.positional().front();
  if (shell == "bash") {
    std::fputs(bash_script().c_str(), stdout);
  } else if (shell == "zsh") {
    std::fputs(zsh_script().c_str(), stdout);
  } else if (shell == "fish") {
    std::fputs(fish_script().c_str(), stdout);
  } else {
    throw UsageError("there is no completion for \"" + shell + "\"; it is one of bash, zsh, fish");
  }
  return Exit::holds;
}

Exit man_command(const Arguments&) {
  std::fputs(manual_page().c_str(), stdout);
  return Exit::holds;
}

}  // namespace rhizome::tools
