#include "tools/cli/command.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <iterator>
#include <sstream>

#include "core/peer/number_text.hpp"
#include "scenarios/text/nearest.hpp"

namespace rhizome::tools {

namespace po = boost::program_options;

namespace {

bool takes_number_or_none(const Option& option) { return option.value.starts_with('['); }

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// Joins such a number to its option. Any other word that follows the option does not belong to it.
std::vector<std::string> with_numbers_joined(const Command& command,
                                             std::span<const std::string> words) {
  std::vector<std::string> joined;
  for (const std::string& word : words) {
    const bool follows =
        is_number(word) && !joined.empty() &&
        std::ranges::any_of(command.options, [&](const Option& option) {
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

// "; did you mean "--engine"?", if any option is near.
std::string meant_by(const std::string& word, const Command& command) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options) names.push_back("--" + option.name);
  const std::string near = scenarios::nearest(word, names);
  return near.empty() ? near : "; did you mean \"" + near + "\"?";
}

// Checks what the option table promises about one option's values.
void check(const Option& option, const std::vector<std::string>& values) {
  if (!option.repeatable && values.size() > 1)
    throw UsageError("--" + option.name + " was given more than once");
  for (const std::string& value : values) {
    if (value.empty())
      throw UsageError("--" + option.name + " was given an empty word: is a variable unset?");
    if (option.choices.empty()) continue;
    if (std::ranges::find(option.choices, value) != option.choices.end()) continue;
    throw UsageError("--" + option.name + " cannot be \"" + value + "\"" +
                     scenarios::suggestion(value, option.choices));
  }
}

void check_positional(const Command& command, const std::vector<std::string>& words) {
  const std::size_t count = words.size();
  const WordCount wanted = command.words();
  if (std::ranges::find(words, "") != words.end())
    throw UsageError(std::string(command.name) + " was given an empty word: is a variable unset?");
  if (count < wanted.least)
    throw UsageError(std::string(command.name) + " needs " + std::string(command.positional));
  if (count > wanted.most)
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

constexpr std::size_t columns = 80;

// The number of characters, some of which take several bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Joins parts into lines of at most so many columns; adds one text at the end of each continued
// line, and one before the next.
std::string in_lines(const std::vector<std::string>& parts, std::size_t most,
                     const std::string& end = "", const std::string& begin = "") {
  std::string text;
  std::size_t line = 0;
  for (const std::string& part : parts) {
    const std::size_t width = width_of(part);
    const bool fits = line + 1 + width + width_of(end) <= most;
    if (!text.empty()) text += fits ? " " : end + "\n" + begin;
    line = fits && !text.empty() ? line + 1 + width : width + width_of(begin);
    text += part;
  }
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Fills paragraphs anew; keeps a line that begins with a space as it is.
std::string filled(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string out;
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) out += in_lines(words_of(paragraph), columns) + "\n";
    paragraph.clear();
  };
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += line + " ";
      continue;
    }
    flush();
    out += line + "\n";
  }
  flush();
  return out;
}

// An example in the form that can be copied into a shell.
std::string example_of(std::string_view example) {
  return "  " + in_lines(words_of(std::string(example)), columns - 2, " \\", "      ");
}

std::string exit_text() {
  std::vector<std::string> parts{"Exit status:"};
  for (const auto& [status, meaning] : meanings)
    parts.push_back(std::to_string(static_cast<int>(status)) + " " + std::string(meaning) +
                    (status == Exit::interrupted ? "." : ";"));
  return in_lines(parts, columns) + "\n";
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
  const auto value = core::parse_number<std::uint64_t>(*given);
  if (!value || *value < least)
    throw UsageError("--" + option + " must be a whole number of at least " +
                     std::to_string(least) + ", not \"" + *given + "\"");
  return value;
}

void Arguments::refuse(std::initializer_list<const char*> options, const std::string& why) const {
  for (const std::string option : options)
    if (has(option)) throw UsageError("--" + option + " " + why);
}

WordCount Command::words() const {
  WordCount count;
  for (const std::string& word : words_of(std::string(positional))) {
    if (word.front() != '[') ++count.least;
    count.most = word.find("...") == std::string::npos ? count.most + 1 : ~std::size_t{0};
  }
  return count;
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
  } catch (const po::unknown_option& error) {
    throw UsageError(error.what() + meant_by(error.get_option_name(), command));
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
  if (!options.contains("help")) check_positional(command, positional);
  return {std::move(positional), std::move(options)};
}

std::string help_of(const Command& command) {
  std::ostringstream out;
  out << filled("rhizome " + std::string(command.name) + " — " + std::string(command.summary))
      << "\nUsage:\n  rhizome " << command.name << " [options]";
  if (!command.positional.empty()) out << " " << command.positional;
  out << "\n\n";
  if (!command.examples.empty()) out << "Examples:\n";
  for (const std::string_view example : command.examples) out << example_of(example) << "\n";
  if (!command.examples.empty()) out << "\n";
  out << filled(command.about) << "\n" << describe(command);
  return out.str();
}

std::string general_help() {
  std::ostringstream out;
  out << filled(
             "Rhizome emulates peer-to-peer overlays and decentralised schedulers: every peer is a "
             "real thread, or all of them share one deterministic virtual time.")
      << "\nUsage:\n"
         "  rhizome COMMAND [options] [arguments]\n"
         "  rhizome help COMMAND\n"
         "  rhizome --version\n"
         "\nExamples:\n"
         "  rhizome init first.toml && rhizome run first.toml\n"
         "  rhizome run scenarios/og-vs-atc.toml --engine virtual --set workload.jobs=800\n"
         "  rhizome report latest\n";
  for (const CommandGroup& group : command_groups()) {
    out << "\n" << group.title << ":\n";
    for (const std::string_view one : group.commands) {
      std::string name(one);
      name.resize(12, ' ');
      out << "  " << name << find_command(one)->summary << "\n";
    }
  }
  out << "\n"
      << filled(
             "Data go to standard output; progress and messages go to standard error. The guides "
             "begin with README.md.")
      << "\n"
      << exit_text();
  return out.str();
}

}  // namespace rhizome::tools
