#include "tools/commands/session.hpp"

#include <chrono>
#include <cstdlib>
#include <optional>

#include <fmt/ranges.h>

#include "core/engine/catalogue.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/files.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commentary.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::Outcome;

namespace {

// One cell is stored as its effective scenario. A sweep is stored as it was written, since no
// single scenario says it all; its overrides stand in the replay command.
std::string stored_scenario(const std::vector<Cell>& cells) {
  if (cells.size() == 1) return scenarios::effective_toml(cells.front().scenario);
  return scenarios::read_file(cells.front().scenario.file).value_or("");
}

// To be called in the run directory.
std::string replay_command(const std::vector<Cell>& cells, const Arguments& arguments) {
  std::string command = "rhizome run scenario.toml";
  if (cells.size() == 1) return command;
  for (const std::string& text : overrides_of(arguments).command_line)
    command += " --set " + quoted(text);
  return command;
}

// A run directory, unless nothing is to be stored.
class Keeper {
 public:
  Keeper(const std::vector<Cell>& cells, const Arguments& arguments) {
    if (arguments.has("no-store")) return;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    directory_.emplace(
        scenarios::RunDirectory::create({.root = arguments.text("runs-dir").value_or("runs"),
                                         .name = cells.front().scenario.name,
                                         .scenario = stored_scenario(cells),
                                         .replay = replay_command(cells, arguments),
                                         .now = now}));
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
                                 .command_line = arguments.texts("set")};
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
  options.push_back({.name = "quiet", .letter = 'q', .help = "no progress"});
  return options;
}

std::vector<Cell> read_cells(const std::string& file, const Arguments& arguments) {
  return scenarios::load_scenario(file, overrides_of(arguments));
}

void check_before_running(const std::vector<Cell>& cells) {
  scenarios::check_beforehand(cells, &interrupt_flag());
}

Session run_session(const std::vector<Cell>& cells, const Arguments& arguments) {
  Session session;
  Keeper keeper(cells, arguments);
  {
    Commentary commentary({.screen = Screen::standard_error(arguments.has("quiet")),
                           .remark = [&](const std::string& text) { keeper.remark(text); }});
    commentary.expect(scenarios::count_runs(cells));
    session.interrupted = !commentary.run(cells, [&](Outcome&& outcome) {
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
