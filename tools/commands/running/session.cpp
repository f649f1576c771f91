#include "tools/commands/running/session.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <fmt/ranges.h>
#include <unistd.h>

#include "core/engine/catalogue.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/experiment/steered.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/launch/launched_process.hpp"
#include "tools/monitor/showing.hpp"
#include "tools/monitor/watching.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::Outcome;

namespace {

scenarios::Watched watched_by(const scenarios::live::Attention& attention) {
  return {.monitors = attention.monitors,
          .frames = attention.frames,
          .processor_seconds = std::chrono::duration<double>(attention.processor).count()};
}

// Those who watch runs: monitors that attach, and the display in this terminal. Runs go on even if
// no monitor can attach.
class Audience {
 public:
  Audience(const std::vector<Cell>& cells, std::size_t runs, const RunWriter& run_writer,
           const Arguments& arguments)
      : screen_(Screen::standard_error(arguments.has("quiet") || arguments.has("watch"))) {
    if (arguments.has("no-monitor")) return;
    try {
      showing_ = std::make_unique<Showing>(
          Showing::Options{.scenario = cells.front().scenario.name,
                           .runs = runs,
                           .directory = run_writer.place(),
                           .control = arguments.has("control") || arguments.has("wait"),
                           .wait = arguments.has("wait"),
                           .real_time = scenarios::any_in_real_time(cells)});
    } catch (const std::runtime_error& error) {
      for (const std::string name : {"watch", "control", "wait"})
        if (arguments.has(name)) throw UsageError("--" + name + ": " + error.what());
      warn(std::string("no monitor can attach: ") + error.what());
    }
    if (showing_ && arguments.has("wait") && !arguments.has("quiet"))
      tell(fmt::format("waits for a monitor: rhizome monitor {0}, or rhizome monitor {0} --go",
                       getpid()));
    if (arguments.has("watch")) watch();
  }

  // Where warnings go: while a user watches here, they are kept until the watcher has left.
  [[nodiscard]] const Screen& screen() const { return screen_; }
  void add_to(scenarios::RunHooks& hooks) {
    if (showing_) showing_->add_to(hooks);
  }
  void conclude(const Outcome& outcome) {
    if (showing_) showing_->conclude(outcome);
  }
  // To be called after the last run. Returns once the watcher in this terminal has left.
  void dismiss(RunWriter& run_writer) {
    const std::string failure = showing_ ? showing_->failure() : "";
    if (showing_) run_writer.watched(watched_by(showing_->attention()));
    showing_.reset();
    watcher_.reset();
    for (const std::string& text : held_) warn(text);
    if (!failure.empty()) warn("monitors were not answered to the end: " + failure);
  }

 private:
  void watch() {
    screen_.warn = [this](std::string_view text) { held_.emplace_back(text); };
    try {
      watcher_ = std::make_unique<Watcher>(Registry::of_user(), showing_->entry());
    } catch (const NoTerminal& error) {
      throw UsageError(std::string("--watch: ") + error.what());
    }
  }

  Screen screen_;
  std::vector<std::string> held_;  // warnings; one thread at a time adds to them
  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Showing> showing_;  // goes first, so that the watcher sees that all is over
};

// Checked before anything is made that a refusal would leave behind.
void check_terminal() {
  try {
    Terminal::check();
  } catch (const NoTerminal& error) {
    throw UsageError(std::string("--watch: ") + error.what());
  }
}

// The command that runs the scenario of a run directory again.
std::string run_again(const Arguments& arguments) {
  std::string command = "rhizome run scenario.toml";
  if (arguments.has("retry")) command += " --retry " + std::to_string(retries_of(arguments));
  return command;
}

scenarios::RecordingTarget recording_in(const Arguments& arguments, const RunWriter& run_writer) {
  if (!arguments.has("record")) return {};
  return {.folder = std::filesystem::path(run_writer.place()) / scenarios::histories_name,
          .program = scenarios::this_program()};
}

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
  if (const auto jobs = arguments.number("jobs", 1))
    overrides.command_line.push_back("engine.at_once=" + std::to_string(*jobs));
  if (arguments.has("control") || arguments.has("wait"))
    overrides.command_line.emplace_back(scenarios::expects_faults);
  return overrides;
}

Option engine_option() {
  const std::vector<std::string> engines = core::engine_names();
  return {.name = "engine",
          .value = "KIND",
          .help = fmt::format("{}: short for --set engine.kind=KIND", fmt::join(engines, " or ")),
          .choices = engines};
}

Option retry_option() {
  return {.name = "retry",
          .value = "N",
          .help = "repeat an invalid run on threads with the same seed, up to N times"};
}

std::uint32_t retries_of(const Arguments& arguments) {
  const std::uint64_t given = arguments.number("retry", 1).value_or(0);
  constexpr std::uint32_t most = 1000;  // more would take too long to wait for
  if (given > most) throw UsageError("--retry can be " + std::to_string(most) + " at most");
  return static_cast<std::uint32_t>(given);
}

Option jobs_option() {
  return {.name = "jobs",
          .letter = 'j',
          .value = "N",
          .help = "the most parallel runs in virtual time: short for --set engine.at_once=N"};
}

std::vector<Option> scenario_options() {
  return {set_option(), engine_option(), repetitions_option("short for --set run.repetitions=N"),
          seed_option()};
}

std::vector<Option> running_options() {
  return joined(
      {scenario_options(),
       {schedulers_option(), output_option({"json", "markdown"}), all_option(), metrics_option(),
        by_option()},
       keeping_options(),
       {share_option(),
        retry_option(),
        jobs_option(),
        {.name = "watch", .help = "watch the runs in this terminal, as rhizome monitor does"},
        {.name = "control",
         .help = "let monitors steer: crash and cut off peers, and hold runs in virtual time"},
        {.name = "wait",
         .help = "start the first run only when a monitor says go; implies --control and -j 1"},
        {.name = "no-monitor", .help = "hide the runs from monitors"}},
       together_options(),
       {quiet_option()}});
}

// Files that a run directory's scenario read must be unchanged, unless another file is named
// instead.
std::vector<Cell> read_cells(const std::string& file, const Arguments& arguments) {
  const std::vector<std::string> set = arguments.texts("set");
  const bool replaced = std::ranges::any_of(
      set, [](const std::string& text) { return text.find("file=") != std::string::npos; });
  if (!replaced && !launched())  // process 0 says it for all
    if (const std::string remark = scenarios::check_same(file); !remark.empty()) warn(remark);
  std::vector<Cell> cells = scenarios::load_scenario(file, overrides_of(arguments));
  // Else a second run would have gone by before a monitor lets the first one go.
  if (arguments.has("wait"))
    for (Cell& cell : cells)
      if (cell.scenario.engine.at_once == 0) cell.scenario.engine.at_once = 1;
  return cells;
}

void check_before_running(const std::vector<Cell>& cells, std::uint32_t processes) {
  const EndsAtOnce nothing_begun;
  scenarios::check_beforehand(cells, {.processes = processes});
}

namespace {

// Throws UsageError where a share would come to nothing: it holds no run, is not to be stored, or
// is asked for what only the whole can tell.
void check_share(const std::vector<Cell>& cells, const Arguments& arguments) {
  const auto share = share_in(arguments);
  if (!share || cells.empty()) return;
  if (arguments.has("no-store"))
    throw UsageError("--no-store: a share is stored, for rhizome merge to put together");
  arguments.refuse({"output", "all", "metrics", "by"},
                   "has no effect on a share: rhizome merge shows the whole");
  const std::size_t runs = scenarios::count_runs(cells);
  if (share->size(runs) == 0)
    throw UsageError(fmt::format("--share {} holds no run: there are {}", share->text(), runs));
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--share: jobs that come through a pipe come once, to one machine");
}

}  // namespace

void check_running_options(const std::vector<Cell>& cells, const Arguments& arguments) {
  if (cells.empty())
    arguments.refuse({"set", "engine", "repetitions", "seed", "jobs", "retry", "no-store", "watch",
                      "no-monitor", "control", "wait", "share", "processes", "hosts", "hostfile",
                      "ssh", "rendezvous", "interface", "ports"},
                     "has no effect here: stored runs are not run again");
  for (const std::string name : {"watch", "control", "wait"})
    if (arguments.has(name) && arguments.has("no-monitor"))
      throw UsageError("--" + name + " is for monitors, and --no-monitor lets none attach");
  if (arguments.has("wait") && !cells.empty() && scenarios::all_in_real_time(cells))
    throw UsageError("--wait has no effect here: runs on threads go by their clock");
  check_share(cells, arguments);
  for (const std::string name : {"control", "wait"})
    if (arguments.has(name) && !cells.empty() && !scenarios::all_in_real_time(cells) &&
        processes_of(arguments) > 1)
      throw UsageError("--" + name +
                       " is for one process where time is virtual: other processes do whole runs, "
                       "which cannot be steered");
  check_together_options(cells, arguments);
  if (arguments.has("watch") && !launched()) check_terminal();  // only process 0 has one
  if (retries_of(arguments) > 0 && !scenarios::any_in_real_time(cells))
    throw UsageError(
        "--retry has no effect here: only runs on threads can be invalid, and these are in "
        "virtual time");
  if (retries_of(arguments) > 0 && scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--retry: jobs that come through a pipe come once");
}

std::string partial_text(std::size_t done, std::size_t of) {
  return fmt::format("interrupted after {} of {} runs: nothing here is of the others", done, of);
}

void judge(Session& session, const std::vector<Cell>& cells) {
  const scenarios::Scenario& scenario = cells.front().scenario;
  session.claims = judge_claims(scenario.claims, session.runs, scenario.run.confidence);
}

namespace {

Session run_and_keep(const std::vector<Cell>& cells, const Arguments& arguments, Together& together,
                     RunWriter& run_writer, const std::optional<scenarios::RunShare>& share,
                     Session session) {
  for (const std::string& claim : cells.front().scenario.claims_left_out) {
    const std::string remark =
        "not judged, since it names a scheduler that was not asked for: " + claim;
    warn(remark);
    run_writer.remark(remark);
  }
  const scenarios::RunShare mine = share.value_or(scenarios::RunShare{});
  const std::size_t runs = mine.size(scenarios::count_runs(cells));
  Audience audience(cells, runs, run_writer, arguments);
  {
    Commentary commentary(
        {.screen = audience.screen(),
         .remark = [&](const std::string& text) { run_writer.remark(text); },
         .broken_off = [&](const Outcome& run) { run_writer.add_broken_off(run); },
         .retries = retries_of(arguments),
         .share = mine,
         .helpers = together.helpers(),
         .also = [&](scenarios::RunHooks& hooks) { audience.add_to(hooks); },
         .distributed_run = together.distributed_run(),
         .recording = recording_in(arguments, run_writer),
         .aside = [&] { return together.hidden_status(); }});
    commentary.expect(runs - session.runs.size());
    const std::size_t done = session.runs.size();
    const auto take = [&](Outcome&& outcome) {
      run_writer.add(outcome);
      audience.conclude(outcome);
      session.runs.push_back(figures_of(outcome));
    };
    session.interrupted = !commentary.run(run_writer.recorded(cells), take, {.runs = done});
  }
  if (session.interrupted) session.partial.push_back(partial_text(session.runs.size(), runs));
  audience.dismiss(run_writer);
  run_writer.done_by(together.members(), together.launch());
  if (!share) judge(session, cells);
  run_writer.conclude(session.interrupted ? "interrupted"
                                          : verdict_text(session.claims, session.runs));
  return session;
}

}  // namespace

mode_t rights_beside(const std::vector<Cell>& cells, const std::string& file) {
  return scenarios::readers_of_all(scenarios::replay_of(cells).sources, folder_of_result(file)) &
         0644;
}

Session run_session(const std::vector<Cell>& cells, const Arguments& arguments,
                    Together& together) {
  RunWriter run_writer(cells, arguments, run_again(arguments));
  run_writer.open();
  return run_and_keep(cells, arguments, together, run_writer, share_in(arguments), {});
}

Session run_session(const std::vector<Cell>& cells, const Arguments& arguments, Together& together,
                    const Resumed& resumed) {
  RunWriter run_writer(cells, resumed);
  return run_and_keep(cells, arguments, together, run_writer, resumed.share(),
                      {.runs = resumed.runs, .claims = {}});
}

}  // namespace rhizome::tools
