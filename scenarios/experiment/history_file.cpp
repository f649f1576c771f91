#include "scenarios/experiment/history_file.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/core.h>

#include "scenarios/experiment/exploration.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/lines.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view title = "# A history that rhizome explore --replay runs again.";
constexpr std::string_view margin = "| ";

// The number of a setting of the explorer, by its name in the file.
std::vector<std::pair<std::string_view, std::uint32_t*>> numbers_of(
    core::ExplorerOptions& options) {
  return {{"early", &options.early},
          {"crashes", &options.crashes},
          {"restarts", &options.restarts},
          {"losses", &options.losses},
          {"duplicates", &options.duplicates}};
}

// The values in the lines of the file, from the top.
struct Script {
  std::string scheduler{};
  core::ExplorerOptions options{};
  std::string scenario{};
  struct Line {
    std::size_t number;
    core::Fingerprint key;
    std::string words;
  };
  std::vector<Line> lines{};
};

class ScriptReader {
 public:
  explicit ScriptReader(const std::filesystem::path& file) : lines_(file.string()) {}

  [[nodiscard]] Script read() {
    if (!lines_.next(line_) || line_ != title)
      lines_.refuse(1, "this is no history: its first line is not \"" + std::string(title) + "\"");
    while (lines_.next(line_)) take();
    if (script_.scenario.empty())
      lines_.refuse(1, "there is no scenario, in lines that begin with |");
    if (script_.scheduler.empty()) lines_.refuse(1, "there is no line \"scheduler = LABEL\"");
    return std::move(script_);
  }

 private:
  void take() {
    if (line_.empty() || line_.front() == '#') return;
    if (line_.front() == '|')
      script_.scenario.append(line_.substr(std::min(margin.size(), line_.size()))).push_back('\n');
    else if (const std::size_t equals = line_.find(" = "); equals == 0 || !is_choice())
      set(line_.substr(0, std::min(equals, line_.size())),
          equals == std::string_view::npos ? std::string_view() : line_.substr(equals + 3));
    else
      choose();
  }
  // Sixteen hexadecimal digits and a space.
  [[nodiscard]] bool is_choice() const {
    constexpr std::size_t digits = 16;
    return line_.size() > digits && line_[digits] == ' ' &&
           line_.substr(0, digits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }
  void choose() {
    constexpr int hexadecimal = 16;
    core::Fingerprint key = 0;
    std::from_chars(line_.data(), line_.data() + hexadecimal, key, hexadecimal);
    script_.lines.push_back({lines_.number(), key, std::string(line_.substr(hexadecimal + 1))});
  }
  void set(std::string_view name, std::string_view value) {
    if (value.empty()) lines_.refuse(1, "a line is NAME = VALUE, a choice, or begins with | or #");
    if (name == "scheduler") {
      script_.scheduler = value;
    } else if (name == "moment") {
      const auto moment = parse_duration(value);
      if (!moment) lines_.refuse(name.size() + 4, "moment is a duration, such as 1ms");
      script_.options.moment = *moment;
    } else {
      set_number(name, value);
    }
  }
  void set_number(std::string_view name, std::string_view value) {
    for (const auto& [known, number] : numbers_of(script_.options)) {
      if (known != name) continue;
      const auto read = std::from_chars(value.data(), value.data() + value.size(), *number);
      if (read.ec == std::errc{} && read.ptr == value.data() + value.size()) return;
      lines_.refuse(name.size() + 4, std::string(name) + " is a number");
    }
    lines_.refuse(1, "there is no setting \"" + std::string(name) + "\" of a history");
  }

  Lines lines_;
  std::string_view line_;
  Script script_;
};

std::size_t scheduler_of(const Cell& cell, const Script& script, const std::string& file) {
  const auto& all = cell.scenario.schedulers;
  const auto found = std::ranges::find_if(
      all, [&](const SchedulerChoice& choice) { return choice.label == script.scheduler; });
  if (found == all.end())
    throw InputError(file, 1, 1, "its scenario has no scheduler \"" + script.scheduler + "\"");
  return static_cast<std::size_t>(found - all.begin());
}

std::string list_of(core::Explorer& explorer) {
  std::string text;
  for (const core::Choice& choice : explorer.choices())
    text += (text.empty() ? "" : "; or ") + explorer.words(choice);
  return text.empty() ? "nothing can" : "what can is: " + text;
}

void follow(core::Explorer& explorer, const Script::Line& line, const std::string& file) {
  const std::vector<core::Choice> choices = explorer.choices();
  const auto found = std::ranges::find_if(choices, [&](const core::Choice& choice) {
    return choice.key == line.key && explorer.words(choice) == line.words;
  });
  if (found == choices.end())
    throw InputError(file, line.number, 1, "this cannot happen here; " + list_of(explorer));
  explorer.take(*found);
}

}  // namespace

std::string history_text(const Explored& explored, const core::BrokenHistory& history) {
  std::string text = std::string(title) + "\n";
  core::ExplorerOptions options = explored.options;
  const SchedulerChoice& choice = explored.cell.scenario.schedulers[explored.scheduler];
  text += fmt::format("# It breaks {}.\nscheduler = {}\nmoment = {}\n", history.broken.rule,
                      choice.label, duration_text(options.moment));
  for (const auto& [name, number] : numbers_of(options))
    text += fmt::format("{} = {}\n", name, *number);
  std::string scenario = effective_toml(explored.cell.scenario);
  for (std::size_t begin = 0; begin < scenario.size();) {
    const std::size_t end = std::min(scenario.find('\n', begin), scenario.size());
    text += std::string(margin) + scenario.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  Exploration exploration(explored.cell, explored.scheduler, explored.options);
  core::Explorer& explorer = exploration.explorer();
  explorer.begin();
  for (const core::Choice& next : history.choices) {
    text += fmt::format("{:016x} {}\n", next.key, explorer.words(next));
    explorer.take(next);
  }
  return text;
}

core::Broken replay_history(const std::filesystem::path& file,
                            const std::function<void(const std::string&)>& listener) {
  const Script script = ScriptReader(file).read();
  const std::vector<Cell> cells = parse_scenario(script.scenario, file.string());
  Exploration exploration(cells.front(), scheduler_of(cells.front(), script, file.string()),
                          script.options);
  core::Explorer& explorer = exploration.explorer();
  if (listener) explorer.listen(listener);
  explorer.begin();
  for (const Script::Line& line : script.lines) follow(explorer, line, file.string());
  if (core::Broken broken = explorer.flaw()) return broken;
  return explorer.verdict(explorer.choices().empty());
}

}  // namespace rhizome::scenarios
