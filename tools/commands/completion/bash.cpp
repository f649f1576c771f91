// Completion for bash: generates a function that looks at the words before the cursor.
#include <fmt/ranges.h>

#include <string>

#include "tools/cli/command.hpp"
#include "tools/commands/completion/values.hpp"

namespace rhizome::tools {

namespace {

using From = ValueKind::From;

std::string names_of(const std::vector<const ValueKind*>& kinds) {
  std::string names;
  for (const ValueKind* kind : kinds) names += (names.empty() ? "" : " ") + kind->name;
  return names;
}

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

// A case branch of the bash script: completes the value of an option.
std::string bash_branch(const std::string& command, const Option& option) {
  std::string pattern = "'" + command + " --" + option.name + "'";
  if (option.letter != '\0') pattern += "|'" + command + " -" + std::string(1, option.letter) + "'";
  const std::string found = option.choices.empty()
                                ? "kinds='" + names_of(kinds_of(option.value)) + "'"
                                : fmt::format("words='{}'", fmt::join(option.choices, " "));
  return "      " + pattern + ") " + found + " ;;\n";
}

std::string bash_branches() {
  std::string script;
  for (const Command& command : commands())
    for (const Option& option : command.options)
      if (!option.value.empty()) script += bash_branch(std::string(command.name), option);
  for (const AfterWords& after : after_words)
    script += fmt::format("      '{} {}') kinds={} ;;\n", after.command, after.first, after.kind);
  return script;
}

std::string bash_arguments() {
  std::string script;
  for (const Command& command : commands())
    script += fmt::format("        {}) kinds='{}' options='{}' ;;\n", command.name,
                          names_of(kinds_of(command.positional)), options_of(command));
  return script;
}

// The bash command that finds the values of a kind.
std::string bash_search(const ValueKind& kind) {
  constexpr const char* files = "compopt -o filenames 2>/dev/null; _rhizome_lines \"$(compgen ";
  switch (kind.from) {
    case From::files:
      if (kind.words.empty()) return std::string(files) + "-f -- \"$word\")\"";
      // Folders may have such a name too.
      return std::string(files) + "-f -X '!*" + kind.words.front() +
             "' -- \"$word\"; compgen -d -X '*" + kind.words.front() + "' -- \"$word\")\"";
    case From::directories:
      return std::string(files) + "-d -- \"$word\")\"";
    case From::runs:
      return "_rhizome_runs \"$runs\"";
    case From::words:
      break;
  }
  const bool goes_on = !kind.words.empty() && kind.words.front().ends_with('=');
  return std::string(goes_on ? "compopt -o nospace 2>/dev/null; " : "") +
         fmt::format("words+=' {}'", fmt::join(kind.words, " "));
}

std::string bash_searches() {
  std::string script;
  for (const ValueKind& kind : value_kinds())
    script += "      " + kind.name + ") " + bash_search(kind) + " ;;\n";
  return script;
}

// File names are data: no word in them is expanded a second time, as `compgen -W` would do. Names
// that no run directory has (scenarios/store/directory.cpp) are not offered, because the shell
// would expand them on the command line. Bash treats "=" as a separate word. The word before it is
// an option, or a key whose values are not known.
constexpr std::string_view bash_beginning = R"(_rhizome_offer() {
  [[ $1 == "$word"* ]] && COMPREPLY+=("$1")
}
_rhizome_lines() {
  local line
  while IFS= read -r line; do [ -n "$line" ] && COMPREPLY+=("$line"); done <<<"$1"
}
_rhizome_runs() {
  local record name
  for record in "$1"/*/run.json; do
    name=${record%/run.json} name=${name##*/}
    case $name in *[!A-Za-z0-9._-]*|-*) continue ;; esac
    [ -e "$record" ] && _rhizome_offer "$name"
  done
}
_rhizome() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} assigned= runs=runs
  local kinds= kind= words= options= i
  COMPREPLY=()
  [ "$word" = = ] && word= assigned=1
  [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]} assigned=1
  [ -n "$assigned" ] && [ "${before#-}" = "$before" ] && return
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "${COMP_WORDS[i]}" = --runs-dir ] && runs=${COMP_WORDS[i+1]}
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
)";

constexpr std::string_view bash_end = R"(    esac
  done
  local IFS=$' \t\n'
  for i in $words; do _rhizome_offer "$i"; done
}
complete -F _rhizome rhizome
)";

}  // namespace

std::string bash_script() {
  return std::string(bash_beginning) + "    words='" + command_names() +
         " --help --version'\n  else\n    case \"${COMP_WORDS[1]} $before\" in\n" +
         bash_branches() + "      *) case ${COMP_WORDS[1]} in\n" + bash_arguments() +
         "        esac\n        [ \"${word#-}\" != \"$word\" ] && kinds= words=$options ;;\n"
         "    esac\n  fi\n  for kind in $kinds; do\n    case $kind in\n" +
         bash_searches() + std::string(bash_end);
}

}  // namespace rhizome::tools
