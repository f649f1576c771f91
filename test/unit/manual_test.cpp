// The manual page and the lists: complete, and fit for what reads them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "tools/cli/command.hpp"
#include "tools/guide/guide.hpp"

namespace rhizome::manual_test {

using namespace tools;

namespace {

// A word as roff writes it.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

}  // namespace

TEST_CASE("the manual page has every command, every option and every exit status") {
  const std::string page = manual_page();
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const std::size_t at = page.find(".SS \"rhizome " + std::string(command.name) + " [options]");
    REQUIRE(at != std::string::npos);
    const std::string part = page.substr(at, page.find("\n.S", at + 1) - at);
    for (const Option& option : command.options) {
      CAPTURE(option.name);
      CHECK(part.find(escaped("--" + option.name)) != std::string::npos);
      CHECK(part.find(escaped(option.help)) != std::string::npos);
    }
  }
  for (const auto& [status, meaning] : exit_meanings())
    CHECK(page.find("\\fB" + std::to_string(static_cast<int>(status)) + "\\fR\n" +
                    std::string(meaning)) != std::string::npos);
}

TEST_CASE("each command says what it does in words of its own") {
  std::set<std::string_view> said;
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    CHECK(said.insert(command.summary).second);
    CHECK(said.insert(command.about).second);
  }
}

TEST_CASE("whatever runs or writes meets its copies, or is not to have any") {
  const std::set<std::string_view> harmless{
      "init", "monitor",  "validate", "list",       "schema", "bill",   "fate",
      "tree", "timeline", "man",      "completion", "status", "results"};
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const bool meets =
        std::any_of(command.options.begin(), command.options.end(),
                    [](const Option& option) { return option.name == "rendezvous"; });
    CHECK((meets || command.alone || harmless.contains(command.name)));
    CHECK_FALSE((meets && command.alone));
  }
}

TEST_CASE("no line of the manual page is an instruction that it does not mean") {
  std::istringstream lines(manual_page());
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (!line.empty() && (line.front() == '.' || line.front() == '\''))
      CHECK((line.starts_with(".TH ") || line.starts_with(".SH ") || line.starts_with(".SS ") ||
             line.starts_with(".RS 4") || line == ".TP" || line == ".PP" || line == ".nf" ||
             line == ".fi" || line == ".RE"));
  }
}

TEST_CASE("the general help tells every exit status within eighty columns") {
  const std::string help = general_help();
  const std::string statuses = help.substr(help.find("Exit status:"));
  for (const auto& [status, meaning] : exit_meanings())
    CHECK(statuses.find(std::to_string(static_cast<int>(status)) + " " + std::string(meaning)) !=
          std::string::npos);
  std::istringstream lines(statuses);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("every command is in one group of the general help") {
  std::multiset<std::string_view> grouped;
  for (const CommandGroup& group : command_groups())
    grouped.insert(group.commands.begin(), group.commands.end());
  std::multiset<std::string_view> all;
  for (const Command& command : commands()) all.insert(command.name);
  CHECK(grouped == all);
}

TEST_CASE("the help of a command shows examples before options") {
  for (const Command& command : commands()) {
    if (command.examples.empty()) continue;
    const std::string help = help_of(command);
    CAPTURE(command.name);
    CHECK(help.find("Examples:") < help.find("Options:"));
  }
}

TEST_CASE("a list for programs has the same entries as the list for people") {
  const std::vector<SectionGuide> sections = sections_within(guide_to_keys(), "engine");
  REQUIRE(sections.size() == 1);
  const scenarios::Json keys = data_of(sections.front());
  CHECK(keys.at("heading").get<std::string>() == "[engine]");
  CHECK(keys.at("keys").size() == sections.front().keys.size());
  const scenarios::Json metric = data_of(metric_called("makespan"));
  CHECK(metric.at("unit").get<std::string>() == "s");
  CHECK(metric.at("better").get<std::string>() == "less");
}

}  // namespace rhizome::manual_test
