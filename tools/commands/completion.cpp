#include <cstdio>
#include <string>

#include "tools/commands/commands.hpp"

namespace rhizome::tools {

namespace {

std::string options_of(const Command& command) {
  std::string words = "--help";
  for (const Option& option : command.options) words += " --" + option.name;
  return words;
}

std::string command_names() {
  std::string words;
  for (const Command& command : commands())
    words += (words.empty() ? "" : " ") + std::string(command.name);
  return words;
}

// Options by command; anything else completes to files.
std::string bash_script() {
  std::string script =
      "_rhizome() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='" +
      command_names() + " --help --version'\n  else\n    case ${COMP_WORDS[1]} in\n";
  for (const Command& command : commands())
    script += "      " + std::string(command.name) + ") words='" + options_of(command) + "' ;;\n";
  return script +
         "    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  [ \"${word#-}\" = \"$word\" ] && [ \"$COMP_CWORD\" -gt 1 ] &&"
         " COMPREPLY+=($(compgen -f -- \"$word\"))\n}\ncomplete -o filenames -F _rhizome rhizome\n";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string zsh_script() {
  return "#compdef rhizome\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script();
}

std::string fish_script() {
  std::string script;
  for (const Command& command : commands()) {
    const std::string name(command.name);
    script += "complete -c rhizome -n __fish_use_subcommand -a " + name + " -d '" +
              escaped(std::string(command.summary)) + "'\n";
    for (const Option& option : command.options) {
      script +=
          "complete -c rhizome -n '__fish_seen_subcommand_from " + name + "' -l " + option.name;
      if (!option.value.empty()) script += " -r";
      for (std::size_t i = 0; i < option.choices.size(); ++i)
        script += (i == 0 ? " -a '" : " ") + option.choices[i];
      if (!option.choices.empty()) script += "'";
      script += " -d '" + escaped(option.help) + "'\n";
    }
  }
  return script;
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

}  // namespace rhizome::tools
