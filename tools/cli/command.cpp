#include "tools/cli/command.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>

namespace rhizome::tools {

namespace po = boost::program_options;

namespace {

bool takes_number_or_none(const Option& option) { return option.value.starts_with('['); }

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// With such a number behind its option: what follows that is no number is none of its own.
std::vector<std::string> with_numbers_joined(const Command& command,
                                             std::span<const std::string> words) {
  std::vector<std::string> joined;
  for (const std::string& word : words) {
    const bool follows =
        is_number(word) && !joined.empty() &&
        std::any_of(command.options.begin(), command.options.end(), [&](const Option& option) {
          return takes_number_or_none(option) && joined.back() == "--" + option.name;
        });
    if (follows)
      joined.back() += "=" + word;
    else
      joined.push_back(word);
  }
  return joined;
}

po::options_description describe(const Command& command) {
  po::options_description description("Options");
  for (const Option& option : command.options) {
    const std::string names =
        option.letter == '\0' ? option.name : option.name + "," + std::string(1, option.letter);
    if (option.value.empty()) {
      description.add_options()(names.c_str(), option.help.c_str());
      continue;
    }
    auto* value = po::value<std::vector<std::string>>()->value_name(option.value)->composing();
    if (takes_number_or_none(option)) value->implicit_value({}, "");
    description.add_options()(names.c_str(), value, option.help.c_str());
  }
  description.add_options()("help,h", "show this help");
  return description;
}

// Checks what the option table promises about one option's values.
void check(const Option& option, const std::vector<std::string>& values) {
  if (!option.repeatable && values.size() > 1)
    throw UsageError("--" + option.name + " was given more than once");
  for (const std::string& value : values) {
    if (option.choices.empty()) continue;
    if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end())
      continue;
    std::string message = "--" + option.name + " cannot be \"" + value + "\"; it is one of";
    for (const std::string& choice : option.choices) message += " " + choice;
    throw UsageError(message);
  }
}

void check_count(const Command& command, std::size_t count) {
  if (count < command.least_positional)
    throw UsageError(std::string(command.name) + " needs " + std::string(command.positional));
  if (count > command.most_positional)
    throw UsageError(std::string(command.name) + " takes " +
                     (command.positional.empty()
                          ? "no arguments"
                          : "no more than " + std::string(command.positional)));
}

constexpr std::array<ExitMeaning, 11> meanings{{{Exit::holds, "all claims hold"},
                                                {Exit::fails, "a claim or invariant failed"},
                                                {Exit::inconclusive, "inconclusive"},
                                                {Exit::usage, "wrong command line"},
                                                {Exit::bad_input, "wrong input"},
                                                {Exit::no_input, "unreadable input"},
                                                {Exit::unavailable, "beyond this machine"},
                                                {Exit::internal, "internal"},
                                                {Exit::cannot_write, "cannot write"},
                                                {Exit::given_up, "lost its other processes"},
                                                {Exit::interrupted, "interrupted"}}};

// In lines of eighty columns at most.
std::string exit_text() {
  constexpr std::size_t columns = 80;
  std::string text = "Exit status:";
  std::size_t line = text.size();
  for (const auto& [status, meaning] : meanings) {
    std::string part = std::to_string(static_cast<int>(status)) + " " + std::string(meaning);
    part += status == Exit::interrupted ? "." : ";";
    const bool fits = line + 1 + part.size() <= columns;
    text += (fits ? " " : "\n") + part;
    line = fits ? line + 1 + part.size() : part.size();
  }
  return text + "\n";
}

}  // namespace

std::span<const ExitMeaning> exit_meanings() { return meanings; }

std::optional<std::string> Arguments::text(const std::string& option) const {
  const auto found = options_.find(option);
  if (found == options_.end() || found->second.empty()) return {};
  return found->second.front();
}

std::vector<std::string> Arguments::texts(const std::string& option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::uint64_t> Arguments::number(const std::string& option,
                                               std::uint64_t least) const {
  const auto given = text(option);
  if (!given) return {};
  std::uint64_t value = 0;
  const char* end = given->data() + given->size();
  const auto [rest, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc{} || rest != end || value < least)
    throw UsageError("--" + option + " must be a whole number of at least " +
                     std::to_string(least) + ", not \"" + *given + "\"");
  return value;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

Arguments parse(const Command& command, std::span<const std::string> words) {
  po::options_description all = describe(command);
  all.add_options()("positional", po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add("positional", -1);
  po::variables_map given;
  try {
    const std::vector<std::string> list = with_numbers_joined(command, words);
    po::store(
        po::command_line_parser(list)
            .options(all)
            .positional(positions)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run(),
        given);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  std::vector<std::string> positional;
  if (given.contains("positional")) positional = given["positional"].as<std::vector<std::string>>();
  std::map<std::string, std::vector<std::string>> options;
  if (given.contains("help")) options["help"] = {};
  for (const Option& option : command.options) {
    if (!given.contains(option.name)) continue;
    std::vector<std::string>& values = options[option.name];
    if (!option.value.empty()) values = given[option.name].as<std::vector<std::string>>();
    check(option, values);
  }
  if (!options.contains("help")) check_count(command, positional.size());
  return {std::move(positional), std::move(options)};
}

std::string help_of(const Command& command) {
  std::ostringstream out;
  out << "rhizome " << command.name << " — " << command.summary << "\n\nUsage:\n  rhizome "
      << command.name << " [options]";
  if (!command.positional.empty()) out << " " << command.positional;
  out << "\n\n" << command.about << "\n\n" << describe(command);
  if (!command.examples.empty()) out << "\nExamples:\n";
  for (const std::string_view example : command.examples) out << "  " << example << "\n";
  return out.str();
}

std::string general_help() {
  std::ostringstream out;
  out << "Rhizome emulates peer-to-peer overlays and decentralised schedulers: every peer is a "
         "real\n"
         "thread, or all of them share one deterministic virtual time.\n\nUsage:\n"
         "  rhizome COMMAND [options] [arguments]\n\nCommands:\n";
  for (const Command& command : commands()) {
    std::string name(command.name);
    name.resize(12, ' ');
    out << "  " << name << command.summary << "\n";
  }
  out << "\n`rhizome COMMAND --help` says more of each, with examples. Data goes to standard "
         "output,\n"
         "progress and messages to standard error.\n\nExamples:\n"
         "  rhizome compare scenarios/og-vs-atc.toml\n"
         "  rhizome run scenarios/og-vs-atc.toml --engine virtual --set workload.jobs=800\n"
         "  rhizome doctor\n\n"
      << exit_text();
  return out.str();
}

}  // namespace rhizome::tools
