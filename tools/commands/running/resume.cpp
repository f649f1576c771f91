#include "tools/commands/running/resume.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/child/own_folder.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/store/run_list.hpp"
#include "scenarios/store/same_again.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/plain_text.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/stored.hpp"
#include "tools/launch/together.hpp"

namespace rhizome::tools {

namespace {

using scenarios::StoredRun;
using scenarios::UnreadableFile;

constexpr const char* lasting[] = {"retry", "by", "metrics", "all", "output"};

// Whether the option, or one that excludes it, is given in this call.
bool is_given_anew(const std::string& name, const Arguments& now) {
  if (name == "all" && now.has("metrics")) return true;
  if (name == "metrics" && now.has("all")) return true;
  return now.has(name);
}

Arguments asked_first(const StoredRun& run) {
  std::vector<std::string> words = run.record.order->options;
  words.emplace_back("scenario.toml");
  try {
    return parse(*find_command("run"), words);
  } catch (const UsageError& error) {
    throw UnreadableFile(run.path.string() +
                         " was run with other options than this program has: " + error.what());
  }
}

Arguments with_lasting(const Arguments& now, const StoredRun& run) {
  const Arguments first = asked_first(run);
  std::map<std::string, std::vector<std::string>> options;
  for (const Option& option : find_command("run")->options)
    if (now.has(option.name)) options[option.name] = now.texts(option.name);
  for (const std::string name : lasting)
    if (first.has(name) && !is_given_anew(name, now)) options[name] = first.texts(name);
  return {now.positional(), std::move(options)};
}

// A resumed run goes on with its first options: others are refused.
void check_resume_options(const Arguments& arguments) {
  arguments.refuse(
      {"set", "engine", "repetitions", "seed", "jobs", "scheduler", "share", "no-store", "record"},
      "has no effect with --resume, which goes on as it began");
  if (processes_of(arguments) > 1) throw UsageError("--resume is for one process");
}

void check_broken_off(const StoredRun& run) {
  if (!run.record.order)
    throw UnreadableFile(run.path.string() + " does not tell how its scenario was read: it is of " +
                         "an earlier version, or no run directory");
  if (scenarios::is_added_to(run.path)) throw UsageError(run.name() + " is under way");
  if (!run.record.verdict.empty() && run.record.verdict != "interrupted")
    throw UsageError(run.name() + " has ended (" + scenarios::plain_text(run.record.verdict) +
                     "): there is nothing to resume");
}

// A remark on what has changed since stays in its record.
std::vector<scenarios::Cell> planned_cells_of(StoredRun& run) {
  const std::string remark = scenarios::check_same(run.path / "scenario.toml");
  if (!remark.empty()) warn(remark);
  if (!remark.empty()) run.record.remarks.push_back(remark);
  return cells_as_read(run);
}

// The stored runs must be the first of the planned runs.
void check_runs(const StoredRun& run, const std::vector<scenarios::Cell>& cells) {
  const scenarios::RunShare share = run.record.order->share.value_or(scenarios::RunShare{});
  const std::vector<scenarios::Identity> all = scenarios::identities_of(cells);
  std::size_t stored = 0;
  for (std::size_t i = 0; i < all.size() && stored < run.store.size(); ++i)
    if (share.holds(i) && run.store.identity(stored++) != all[i])
      throw UnreadableFile(run.path.string() + " holds other runs than its scenario has");
  if (stored < run.store.size())
    throw UnreadableFile(run.path.string() + " holds more runs than its scenario has");
}

// Whether the directory and its files are this user's alone: another's, in a folder that several
// may write to, may hold anything under the name of a run that was done already.
bool is_own_run(const std::filesystem::path& directory) {
  if (!scenarios::is_own_directory(directory) || core::others_may_write(directory)) return false;
  for (const char* name : {"run.json", "scenario.toml", "results.sqlite"})
    if (!scenarios::is_own_file(directory / name)) return false;
  return true;
}

// Whether the run began with the same scenario. Throws UnreadableFile for a file that cannot be
// read, or has changed.
bool began_likewise(const StoredRun& run, const DirectoryPlan& plan) {
  const std::filesystem::path scenario = run.path / "scenario.toml";
  return run.record.order == plan.directory.order && run.record.files == plan.directory.read &&
         run.record.programs == plan.directory.programs &&
         scenarios::read_plain_file(scenario) == plan.directory.scenario &&
         scenarios::check_same(scenario).empty();
}

}  // namespace

std::vector<scenarios::Cell> cells_as_read(const StoredRun& run) {
  const scenarios::OrderRecord order = run.record.order.value_or(scenarios::OrderRecord{});
  return scenarios::load_kept_scenario(run.path, {.environment = order.environment,
                                                  .command_line = order.assignments,
                                                  .schedulers = order.schedulers});
}

std::optional<StoredRun> stored_before(const std::vector<scenarios::Cell>& cells,
                                       const Keeping& keeping) {
  const DirectoryPlan plan = plan_of(cells, keeping);
  for (const scenarios::ListedRun& listed :
       scenarios::list_runs(keeping.root, scenarios::Whose::own)) {
    if (listed.name != plan.directory.name || listed.under_way) continue;
    if (!is_own_run(listed.path)) continue;
    try {
      StoredRun run = scenarios::open_run(listed.path);
      if (!began_likewise(run, plan)) continue;
      check_runs(run, cells);
      return run;
    } catch (const UnreadableFile& error) {
      warn(std::string("not taken for what is done already: ") + error.what());
    }
  }
  return {};
}

Option resume_option() {
  return {.name = "resume",
          .help =
              "complete an interrupted experiment: give its run directory in place of SCENARIO; "
              "finished runs are kept"};
}

std::vector<std::string> lasting_options(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const std::string name : lasting) {
    if (!arguments.has(name)) continue;
    const std::vector<std::string> values = arguments.texts(name);
    if (values.empty()) words.push_back("--" + name);
    for (const std::string& value : values) words.push_back("--" + name + "=" + value);
  }
  return words;
}

Resumption resume(const Arguments& arguments) {
  check_resume_options(arguments);
  StoredRun run = scenarios::open_run(stored_path(arguments.positional().front(), arguments));
  check_broken_off(run);
  Resumption resumption{.cells = planned_cells_of(run),
                        .resumed = {.path = run.path, .record = run.record, .runs = {}},
                        .arguments = with_lasting(arguments, run)};
  for (const std::string name : {"control", "wait"})
    if (arguments.has(name) && std::ranges::any_of(resumption.cells, [](const auto& cell) {
          return !cell.scenario.faults.expected && !cell.scenario.provision.used();
        }))
      throw UsageError("--" + name +
                       ": these runs began without it, so that their schedulers expect no faults");
  if (scenarios::comes_live(resumption.cells.front().scenario.workload))
    throw UsageError("--resume: jobs that come through a pipe come once");
  check_runs(run, resumption.cells);
  for (std::size_t i = 0; i < run.store.size(); ++i)
    resumption.resumed.runs.push_back(figures_of(run.read(i)));
  return resumption;
}

}  // namespace rhizome::tools
