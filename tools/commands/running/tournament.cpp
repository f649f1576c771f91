#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/option_path.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/rounds.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/tournament/archive.hpp"
#include "tools/tournament/tournament.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Cell;

const scenarios::Metric& metric_of(const Arguments& arguments) {
  return ranking_metric(arguments.text("metric").value_or("mean_response"));
}

// "5" or "5%": half of an interval, as a share.
double width_of(const Arguments& arguments) {
  std::string text = arguments.text("width").value_or("5%");
  if (text.ends_with('%')) text.pop_back();
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent > 0) || percent >= 100)
    throw UsageError("--width is a number of per cent between 0 and 100");
  return percent / 100;
}

std::uint32_t most_of(const Arguments& arguments) {
  constexpr std::uint64_t enough = 100'000;
  const std::uint64_t most = arguments.number("most", 2).value_or(100);
  if (most > enough) throw UsageError("--most is at most 100000");
  return static_cast<std::uint32_t>(most);
}

bool of_one_file(const Cell& a, const Cell& b) { return a.scenario.file == b.scenario.file; }

bool about_scheduler(const std::string& assignment) {
  return scenarios::option_path(assignment).has_value();
}

// With --schedulers, settings of schedulers apply to those, and all others to the contests.
scenarios::Overrides overrides_for(const Arguments& arguments, bool schedulers) {
  scenarios::Overrides overrides = overrides_of(arguments);
  std::erase_if(overrides.command_line,
                [&](const std::string& text) { return about_scheduler(text) != schedulers; });
  return overrides;
}

void put_in_place(std::vector<Cell>& cells, const std::string& file, const Arguments& arguments) {
  const std::vector<Cell> entrants = scenarios::load_scenario(file, overrides_for(arguments, true));
  if (entrants.size() > 1)
    throw UsageError("--schedulers " + file + " sweeps: its entrants would not be the same");
  for (Cell& cell : cells) {
    for (const auto& [key, value] : cell.assignments)
      if (about_scheduler(key))
        throw UsageError(cell.scenario.file + " sweeps " + key +
                         ", which --schedulers would replace");
    if (cell.scenario.protocols != entrants.front().scenario.protocols)
      throw UsageError("--schedulers " + file +
                       ": [[protocol]] and [[scheduler]] cannot take each " + "other's place in " +
                       cell.scenario.file);
    cell.scenario.schedulers = entrants.front().scenario.schedulers;
  }
}

// The cells of every file; the entrants of `--schedulers` in the place of their own.
std::vector<Cell> contests_of(const Arguments& arguments) {
  const auto replacement = arguments.text("schedulers");
  std::vector<Cell> cells;
  std::set<std::string> names;
  for (const std::string& file : arguments.positional()) {
    const std::vector<Cell> of_file =
        replacement ? scenarios::load_scenario(file, overrides_for(arguments, false))
                    : read_cells(file, arguments);
    if (!names.insert(of_file.front().scenario.name).second)
      throw UsageError("two scenarios are called \"" + of_file.front().scenario.name + "\"");
    cells.insert(cells.end(), of_file.begin(), of_file.end());
  }
  if (replacement) put_in_place(cells, *replacement, arguments);
  return cells;
}

// The file of entrants for a sweep, which is kept as it was written, without them.
std::vector<scenarios::FileRead> entrants_of(const std::vector<Cell>& cells,
                                             const Arguments& arguments) {
  const auto file = arguments.text("schedulers");
  if (!file || cells.size() == 1) return {};
  const std::filesystem::path entrants = std::filesystem::absolute(*file).lexically_normal();
  return {scenarios::file_read(entrants, entrants.string())};
}

// The command that repeats the tournament of one scenario's directory.
std::string hold_again(const Arguments& arguments,
                       const std::vector<scenarios::FileRead>& entrants) {
  std::string command = "rhizome tournament scenario.toml";
  for (const scenarios::FileRead& file : entrants) command += " --schedulers " + quoted(file.name);
  for (const std::string name : {"metric", "width", "most", "budget"})
    if (const auto value = arguments.text(name)) command += " --" + name + " " + quoted(*value);
  return command;
}

// A run directory for each scenario, with the cells that it has; made when there is something in
// it, where figures of an earlier tournament may be all that there is.
std::deque<RunWriter> keepers_of(const std::vector<Cell>& cells, const Arguments& arguments) {
  std::deque<RunWriter> run_writers;
  for (std::size_t i = 0; i < cells.size();) {
    std::vector<Cell> own;
    for (; i < cells.size() && (own.empty() || of_one_file(cells[i], own.front())); ++i)
      own.push_back(cells[i]);
    const std::vector<scenarios::FileRead> entrants = entrants_of(own, arguments);
    run_writers.emplace_back(own, arguments, hold_again(arguments, entrants), entrants);
    if (!arguments.has("keep")) run_writers.back().open();
  }
  return run_writers;
}

std::vector<TournamentCell> stages_of(const std::vector<Cell>& cells, Archive* archive,
                                      std::deque<RunWriter>& run_writers) {
  std::vector<TournamentCell> stages;
  std::size_t run_writer = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0 && !of_one_file(cells[i], cells[i - 1])) ++run_writer;
    stages.emplace_back(cells[i], archive, run_writers[run_writer]);
  }
  return stages;
}

// Everything that can be wrong before the first run.
void check(const std::vector<Cell>& cells, std::uint32_t most) {
  for (const Cell& cell : cells) {
    const scenarios::Scenario& scenario = cell.scenario;
    if (scenario.schedulers.size() < 2)
      throw UsageError("a tournament needs two schedulers, and " + scenario.file +
                       " has one: name others with --schedulers FILE");
    if (scenario.run.repetitions < 2)
      throw UsageError("a tournament needs two repetitions to begin with: --repetitions");
    if (scenario.run.repetitions > most)
      throw UsageError("--most cannot be less than the repetitions to begin with, " +
                       std::to_string(scenario.run.repetitions));
    if (scenario.run.confidence != cells.front().scenario.run.confidence)
      throw UsageError("the scenarios differ in run.confidence: state one with --set");
  }
  check_before_running(cells);
}

// A label stands for the same scheduler with the same options in every contest.
bool same_entrants(const std::vector<Cell>& cells) {
  std::map<std::string, std::string> meaning;
  for (const Cell& cell : cells)
    for (const scenarios::SchedulerChoice& choice : cell.scenario.schedulers) {
      scenarios::Scenario alone;
      alone.schedulers = {choice};
      const std::string text = scenarios::effective_toml(alone);
      if (meaning.try_emplace(choice.label, text).first->second != text) return false;
    }
  return true;
}

Exit exit_of(const Tournament& tournament, double width) {
  bool narrow = true;
  for (const Contest& contest : tournament.contests) {
    for (const Entrant& entrant : contest.entrants)
      if (entrant.violated + entrant.invalid > 0) return Exit::fails;
    narrow = narrow && std::ranges::all_of(contest.entrants, &Entrant::sound) &&
             widest(contest) <= width;
  }
  return narrow ? Exit::holds : Exit::inconclusive;
}

// The verdict on a tournament as a whole, for the records of its runs.
std::string verdict_of(const Tournament& tournament) {
  for (const Contest& contest : tournament.contests)
    for (const Entrant& entrant : contest.entrants)
      if (entrant.violated + entrant.invalid > 0) return "fails";
  return "no claims";
}

// Intervals that stayed too wide are told, contest by contest.
void tell_widths(const Tournament& tournament, double width) {
  for (const Contest& contest : tournament.contests) {
    const double wide = widest(contest);
    if (contest.ranked == 0) {
      warn(contest.name + ": no scheduler is ranked, as the table says");
    } else if (std::isinf(wide)) {
      warn(contest.name + ": some ratio to the first has no bound yet");
    } else if (wide > width) {
      warn(
          fmt::format("{}: the widest ratio is known to ±{:.3g} % only, not to ±{:.3g} %: "
                      "more repetitions (--most, --budget) would tell more",
                      contest.name, wide * 100, width * 100));
    }
  }
}

void print(const Tournament& tournament, const std::string& format) {
  const std::string text = format == "json"       ? json_of(tournament)
                           : format == "markdown" ? markdown_of(tournament)
                                                  : text_of(tournament);
  print_text(text);
}

}  // namespace

Exit tournament_command(const Arguments& arguments) {
  const scenarios::Metric& metric = metric_of(arguments);
  const RoundLimits limits{.width = width_of(arguments),
                           .most = most_of(arguments),
                           .budget = duration_in(arguments, "budget")};
  const std::vector<Cell> cells = contests_of(arguments);
  check(cells, limits.most);
  const bool across = same_entrants(cells);
  if (!across)
    warn("a label means different options in different contests, so there is no overall ranking");
  std::optional<Archive> archive;
  if (const auto file = arguments.text("keep")) archive.emplace(*file);
  std::deque<RunWriter> run_writers = keepers_of(cells, arguments);
  Rounds rounds(stages_of(cells, archive ? &*archive : nullptr, run_writers), metric, limits,
                across, arguments.has("quiet"));
  const bool whole = rounds.run();
  Tournament result = rounds.result();
  if (!whole) result.partial = "interrupted: each contest has the repetitions that were finished";
  for (RunWriter& run_writer : run_writers)
    run_writer.conclude(whole ? verdict_of(result) : "interrupted");
  print(result, arguments.text("output").value_or("text"));
  if (!whole) return Exit::interrupted;
  tell_widths(result, limits.width);
  return exit_of(result, limits.width);
}

}  // namespace rhizome::tools
