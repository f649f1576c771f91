#include "tools/commands/session.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/files.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/shell.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/render.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::Outcome;

namespace {

// "organic-grid, repetition 2, peers.count=600".
std::string describe(const scenarios::Identity& identity) {
  std::string text = identity.label + ", repetition " + std::to_string(identity.repetition + 1);
  const std::string cell = cell_text(identity);
  return cell.empty() ? text : text + ", " + cell;
}

std::string summary(const Outcome& outcome) {
  std::string text = std::string(name_of(outcome.ending)) + " after " +
                     std::to_string(core::seconds(outcome.ended)).substr(0, 6) + " s emulated, " +
                     std::string(name_of(outcome.validity.level));
  if (!outcome.failure.empty()) text += ", failed: " + outcome.failure;
  if (!outcome.violations.empty())
    text += ", " + std::to_string(outcome.violations.size()) + " invariants broken";
  return text;
}

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

std::string doubt_text(const scenarios::Validity& validity) {
  return "the run is " + std::string(name_of(validity.level)) + ": " + validity.reason + "; " +
         validity.remedy;
}

// Broken invariants and doubtful validity are told at once, not only in the table at the end.
void warn(const Outcome& outcome) {
  const std::string who = describe(outcome.identity);
  for (const scenarios::Violation& violation : outcome.violations)
    warn(who + ": invariant " + violation.invariant + " is broken: " + violation.text);
  if (outcome.validity.level != scenarios::Validity::Level::valid)
    warn(who + ": " + doubt_text(outcome.validity));
}

std::vector<Option> scenario_options() {
  return {{.name = "set",
           .letter = 's',
           .value = "KEY=VALUE",
           .help = "override a key; a list sweeps (repeatable)",
           .repeatable = true},
          {.name = "engine",
           .value = "KIND",
           .help = "threads or virtual: short for --set engine.kind=KIND",
           .choices = {"threads", "virtual"}},
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
  options.push_back({.name = "all", .letter = 'a', .help = "every metric, not only the headlines"});
  options.push_back(
      {.name = "runs-dir", .value = "DIR", .help = "where run directories go (runs)"});
  options.push_back({.name = "no-store", .help = "keep no run directory"});
  options.push_back({.name = "quiet", .letter = 'q', .help = "no progress"});
  return options;
}

std::vector<Cell> read_cells(const std::string& file, const Arguments& arguments) {
  return scenarios::load_scenario(file, overrides_of(arguments));
}

Session run_session(const std::vector<Cell>& cells, const Arguments& arguments) {
  Session session;
  const bool quiet = arguments.has("quiet");
  Keeper keeper(cells, arguments);
  {
    Progress progress(scenarios::count_runs(cells), quiet);
    const scenarios::ExperimentHooks hooks{
        .begin = [&](const scenarios::Identity& identity) { progress.begin(describe(identity)); },
        .tick = [&](core::Time now) { progress.tick(now); },
        .outcome =
            [&](Outcome&& outcome) {
              progress.finish(summary(outcome));
              warn(outcome);
              keeper.add(outcome);
              session.runs.push_back(figures_of(outcome));
            },
        .remark =
            [&](const std::string& text) {
              warn(text);
              keeper.remark(text);
            }};
    session.interrupted = !scenarios::run_experiment(cells, hooks, &interrupt_flag());
  }
  const scenarios::Scenario& scenario = cells.front().scenario;
  session.claims = judge_claims(scenario.claims, session.runs, scenario.run.confidence);
  keeper.conclude(session.interrupted ? "interrupted" : verdict_text(session.claims, session.runs));
  return session;
}

Exit present(const Session& session, const Arguments& arguments, const std::vector<Cell>& cells) {
  const double confidence = cells.empty() ? 0.95 : cells.front().scenario.run.confidence;
  const bool stored = cells.empty();
  const auto comparisons = compare(
      session.runs, {.sides = stored ? Sides::runs : Sides::labels, .confidence = confidence});
  const std::string format = arguments.text("output").value_or("text");
  const bool all = arguments.has("all");
  if (format == "json") {
    std::fputs(json_of(comparisons, session.claims).c_str(), stdout);
  } else {
    const TextOptions text{.colour = colour_wanted(), .all = all};
    const bool markdown = format == "markdown";
    for (const Comparison& comparison : comparisons)
      std::printf("%s\n",
                  (markdown ? markdown_of(comparison, all) : text_of(comparison, text)).c_str());
    if (!session.claims.empty())
      std::fputs((markdown ? markdown_of(session.claims) : text_of(session.claims, text)).c_str(),
                 stdout);
  }
  if (session.interrupted) return Exit::interrupted;
  switch (overall(session.claims, session.runs)) {
    case Standing::holds:
      return Exit::holds;
    case Standing::fails:
      return Exit::fails;
    case Standing::not_distinguishable:
    case Standing::inconclusive:
      break;
  }
  return Exit::inconclusive;
}

}  // namespace rhizome::tools
