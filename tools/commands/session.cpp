#include "tools/commands/session.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>

#include <fmt/ranges.h>

#include "core/engine/catalogue.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commentary.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::Outcome;

namespace {

std::uint32_t retries_of(const Arguments& arguments) {
  const std::uint64_t given = arguments.number("retry", 1).value_or(0);
  constexpr std::uint32_t most = 1000;  // nobody waits for more
  if (given > most) throw UsageError("--retry can be " + std::to_string(most) + " at most");
  return static_cast<std::uint32_t>(given);
}

// To be called in the run directory. What the environment sets there then must not matter, and
// what it set here is in the one scenario that was kept, or has to be set again.
std::string replay_command(const std::vector<Cell>& cells, const Arguments& arguments,
                           const scenarios::Replay& replay) {
  const scenarios::Overrides overrides =
      cells.size() == 1 ? scenarios::Overrides{} : overrides_of(arguments);
  std::string command =
      "RHIZOME_SET=" + shell_word(overrides.environment) + " rhizome run scenario.toml";
  if (arguments.has("retry")) command += " --retry " + std::to_string(retries_of(arguments));
  for (const std::string& text : overrides.command_line) command += " --set " + quoted(text);
  for (const std::string& text : replay.assignments) command += " --set " + quoted(text);
  for (const std::string& name : overrides.schedulers) command += " --scheduler " + quoted(name);
  return command;
}

// A run directory, unless nothing is to be stored.
class Keeper {
 public:
  Keeper(const std::vector<Cell>& cells, const Arguments& arguments) {
    if (arguments.has("no-store")) return;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const scenarios::Replay replay = scenarios::replay_of(cells);
    directory_.emplace(
        scenarios::RunDirectory::create({.root = arguments.text("runs-dir").value_or("runs"),
                                         .name = cells.front().scenario.name,
                                         .scenario = replay.scenario,
                                         .replay = replay_command(cells, arguments, replay),
                                         .files = replay.files,
                                         .now = now}));
    for (const std::string& text : replay.remarks) remark(text);
  }
  // The same cells, with what they are to write into the directory while they run.
  [[nodiscard]] std::vector<Cell> recorded(std::vector<Cell> cells) const {
    for (Cell& cell : cells)
      if (directory_)
        cell.scenario.workload.record = (directory_->path() / scenarios::recorded_jobs).string();
    return cells;
  }
  void add(const Outcome& outcome) {
    if (directory_) directory_->add(outcome);
  }
  void remark(const std::string& text) {
    if (directory_) directory_->record().remarks.push_back(text);
  }
  void conclude(const std::string& verdict) {
    if (!directory_) return;
    directory_->record().verdict = verdict;
    directory_->write_record();
    tell("Stored in " + directory_->path().string());
  }

 private:
  std::optional<scenarios::RunDirectory> directory_;
};

}  // namespace

scenarios::Overrides overrides_of(const Arguments& arguments) {
  const char* environment = std::getenv("RHIZOME_SET");
  scenarios::Overrides overrides{.environment = environment == nullptr ? "" : environment,
                                 .command_line = arguments.texts("set"),
                                 .schedulers = arguments.texts("scheduler")};
  if (const auto engine = arguments.text("engine"))
    overrides.command_line.push_back("engine.kind=" + *engine);
  if (const auto repetitions = arguments.number("repetitions", 1))
    overrides.command_line.push_back("run.repetitions=" + std::to_string(*repetitions));
  if (const auto seed = arguments.number("seed", 0))
    overrides.command_line.push_back("run.seed=" + std::to_string(*seed));
  return overrides;
}

Option engine_option() {
  const std::vector<std::string> engines = core::engine_names();
  return {.name = "engine",
          .value = "KIND",
          .help = fmt::format("{}: short for --set engine.kind=KIND", fmt::join(engines, " or ")),
          .choices = engines};
}

std::vector<Option> scenario_options() {
  return {{.name = "set",
           .letter = 's',
           .value = "KEY=VALUE",
           .help = "override a key; a list or a range such as 3..20 sweeps (repeatable)",
           .repeatable = true},
          engine_option(),
          {.name = "repetitions",
           .letter = 'n',
           .value = "N",
           .help = "short for --set run.repetitions=N"},
          {.name = "seed", .value = "N", .help = "short for --set run.seed=N"}};
}

std::vector<Option> running_options() {
  std::vector<Option> options = scenario_options();
  options.push_back({.name = "scheduler",
                     .value = "SCHEDULER",
                     .help = "only this one of them, by label or use (repeatable)",
                     .repeatable = true});
  options.push_back({.name = "output",
                     .letter = 'o',
                     .value = "FORMAT",
                     .help = "text (the default), json or markdown",
                     .choices = {"text", "json", "markdown"}});
  options.push_back({.name = "all",
                     .letter = 'a',
                     .help = "every metric, not only the headlines; of a sweep every cell"});
  options.push_back({.name = "by",
                     .value = "METRIC",
                     .help = "what the settings of a sweep are judged by (makespan; repeatable)",
                     .repeatable = true});
  options.push_back(
      {.name = "runs-dir", .value = "DIR", .help = "where run directories go (runs)"});
  options.push_back({.name = "no-store", .help = "keep no run directory"});
  options.push_back({.name = "retry",
                     .value = "N",
                     .help = "do a run on threads that is invalid again, up to N times"});
  options.push_back({.name = "quiet", .letter = 'q', .help = "no progress"});
  return options;
}

std::vector<Cell> read_cells(const std::string& file, const Arguments& arguments) {
  return scenarios::load_scenario(file, overrides_of(arguments));
}

void check_before_running(const std::vector<Cell>& cells) {
  scenarios::check_beforehand(cells, &interrupt_flag());
}

void check_retry(const std::vector<Cell>& cells, const Arguments& arguments) {
  if (retries_of(arguments) > 0 && !scenarios::any_in_real_time(cells))
    throw UsageError(
        "--retry has no effect here: only runs on threads can be invalid, and " +
        std::string(cells.empty() ? "stored runs are not run again" : "these are in virtual time"));
  if (retries_of(arguments) > 0 && scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--retry: jobs that come through a pipe come once");
}

Session run_session(const std::vector<Cell>& cells, const Arguments& arguments) {
  Session session;
  Keeper keeper(cells, arguments);
  for (const std::string& claim : cells.front().scenario.claims_left_out) {
    const std::string remark =
        "not judged, since it names a scheduler that was not asked for: " + claim;
    warn(remark);
    keeper.remark(remark);
  }
  {
    Commentary commentary({.screen = Screen::standard_error(arguments.has("quiet")),
                           .remark = [&](const std::string& text) { keeper.remark(text); },
                           .retries = retries_of(arguments)});
    commentary.expect(scenarios::count_runs(cells));
    session.interrupted = !commentary.run(keeper.recorded(cells), [&](Outcome&& outcome) {
      keeper.add(outcome);
      session.runs.push_back(figures_of(outcome));
    });
  }
  const scenarios::Scenario& scenario = cells.front().scenario;
  session.claims = judge_claims(scenario.claims, session.runs, scenario.run.confidence);
  keeper.conclude(session.interrupted ? "interrupted" : verdict_text(session.claims, session.runs));
  return session;
}

}  // namespace rhizome::tools
