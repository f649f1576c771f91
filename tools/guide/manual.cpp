#include "tools/guide/guide.hpp"

#include <string_view>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

namespace {

// Escapes text that roff would take for an instruction; a hyphen stays one that can be copied.
std::string plain(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string section(std::string_view name) { return ".SH " + std::string(name) + "\n"; }

// A term, and what it means below it.
std::string entry(const std::string& term, std::string_view meaning) {
  return ".TP\n\\fB" + plain(term) + "\\fR\n" + plain(meaning) + "\n";
}

std::string term_of(const Option& option) {
  std::string term = option.letter == '\0' ? "" : std::string("-") + option.letter + ", ";
  term += "--" + option.name;
  return option.value.empty() ? term : term + " " + option.value;
}

// The lines as they are.
std::string verbatim(const std::vector<std::string_view>& lines) {
  std::string text = ".PP\n.RS 4\n.nf\n";
  for (const std::string_view line : lines) text += plain(line) + "\n";
  return text + ".fi\n.RE\n";
}

std::string manual_of(const Command& command) {
  std::string usage = "rhizome " + std::string(command.name) + " [options]";
  if (!command.positional.empty()) usage += " " + std::string(command.positional);
  std::string text = ".SS \"" + plain(usage) + "\"\n" + plain(command.summary) + ".\n.PP\n" +
                     plain(command.about) + "\n";
  for (const Option& option : command.options) text += entry(term_of(option), option.help);
  return text + verbatim(command.examples);
}

}  // namespace

std::string manual_page() {
  std::string text = ".TH RHIZOME 1 \"\" \"rhizome " RHIZOME_VERSION "\" \"User Commands\"\n";
  text +=
      section("NAME") + "rhizome \\- emulate peer-to-peer overlays and decentralised schedulers\n";
  text += section("SYNOPSIS") + "\\fBrhizome\\fR \\fICOMMAND\\fR [options] [arguments]\n";
  text += section("DESCRIPTION") +
          "Every peer is a real thread, or all of them share one deterministic virtual time. A "
          "scenario file says what the peers are, what they have to do and what goes wrong; the "
          "result is a comparison of the schedulers that it names. Data goes to standard output, "
          "progress and messages to standard error.\n.PP\nEvery command explains itself with "
          "\\fB\\-\\-help\\fR, and \\fBrhizome list keys\\fR what a scenario may say.\n";
  text += section("COMMANDS");
  for (const Command& command : commands()) text += manual_of(command);
  text += section("EXIT STATUS");
  for (const auto& [status, meaning] : exit_meanings())
    text += entry(std::to_string(static_cast<int>(status)), meaning);
  text += section("ENVIRONMENT") +
          entry("RHIZOME_SET",
                "Assignments KEY=VALUE that override the scenario, separated by semicolons; --set "
                "overrides them.");
  text += section("FILES") +
          entry("runs/NAME-TIME-N/",
                "What a run leaves behind: the effective scenario, run.json, results.sqlite, and "
                "the command that replays it. runs/latest points at the newest.");
  return text;
}

}  // namespace rhizome::tools
