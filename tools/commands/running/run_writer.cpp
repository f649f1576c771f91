#include "tools/commands/running/run_writer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "scenarios/experiment/steered.hpp"
#include "scenarios/text/files.hpp"
#include "tools/cli/command_again.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::FileRead;

namespace {

// Settings of this call are in the kept scenario if there is one cell, otherwise they must be
// repeated.
scenarios::Overrides overrides_again(const std::vector<Cell>& cells,
                                     const scenarios::Overrides& here,
                                     const scenarios::Replay& replay) {
  scenarios::Overrides again = cells.size() == 1 ? scenarios::Overrides{} : here;
  again.command_line.insert(again.command_line.end(), replay.assignments.begin(),
                            replay.assignments.end());
  return again;
}

scenarios::OrderRecord order_of(const Keeping& keeping, const scenarios::Overrides& again) {
  return {.share = keeping.share,
          .command = keeping.command,
          .environment = again.environment,
          .assignments = again.command_line,
          .schedulers = again.schedulers,
          .options = keeping.options};
}

Keeping keeping_of(const Arguments& arguments, const std::string& command,
                   const std::vector<FileRead>& read) {
  check_keeping(arguments);
  std::vector<std::filesystem::path> sources;
  if (const auto entrants = arguments.text("schedulers")) sources.emplace_back(*entrants);
  const bool store = !arguments.has("no-store");
  return {.store = store,
          .root = store ? runs_folder(arguments) : std::filesystem::path{},
          .command = command,
          .overrides = overrides_of(arguments),
          .share = share_in(arguments),
          .options = lasting_options(arguments),
          .sources = std::move(sources),
          .read = read};
}

}  // namespace

std::vector<Option> keeping_options() {
  return {{.name = "runs-dir", .value = "DIR", .help = "the folder for run directories (runs)"},
          {.name = "no-store", .help = "store nothing"}};
}

void check_keeping(const Arguments& arguments) {
  if (arguments.has("no-store")) arguments.refuse({"runs-dir"}, "has no effect with --no-store");
}

RunWriter::RunWriter(const std::vector<Cell>& cells, const Arguments& arguments,
                     const std::string& command, const std::vector<FileRead>& read)
    : RunWriter(cells, keeping_of(arguments, command, read)) {}

DirectoryPlan plan_of(const std::vector<Cell>& cells, const Keeping& keeping) {
  const scenarios::Replay replay = scenarios::replay_of(cells, keeping.copying);
  const scenarios::Overrides again = overrides_again(cells, keeping.overrides, replay);
  const scenarios::OrderRecord order = order_of(keeping, again);
  std::vector<FileRead> read = replay.read;
  read.insert(read.end(), keeping.read.begin(), keeping.read.end());
  std::vector<std::filesystem::path> sources = replay.sources;
  sources.insert(sources.end(), keeping.sources.begin(), keeping.sources.end());
  for (const FileRead& each : keeping.read) sources.emplace_back(each.name);
  return {.directory = {.root = keeping.root,
                        .name = cells.front().scenario.name,
                        .scenario = replay.scenario,
                        .replay = command_again(order),
                        .files = replay.files,
                        .sources = sources,
                        .read = read,
                        .programs = replay.programs,
                        .order = order},
          .remarks = replay.remarks};
}

RunWriter::RunWriter(const std::vector<Cell>& cells, const Keeping& keeping) : cells_(cells) {
  if (!keeping.store) return;
  const DirectoryPlan plan = plan_of(cells, keeping);
  plan_ = plan.directory;
  for (const std::string& text : plan.remarks) remark(text);
}

RunWriter::RunWriter(const std::vector<Cell>& cells, const Resumed& resumed)
    : cells_(cells), remarks_(resumed.record.remarks) {
  directory_.emplace(scenarios::RunDirectory::reopen(resumed.path, resumed.record));
  remark(fmt::format("resumed after {} runs", resumed.runs.size()));
}

void RunWriter::open() {
  if (!plan_ || directory_) return;
  plan_->now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  directory_.emplace(scenarios::RunDirectory::create(*plan_));
  std::vector<std::string>& remarks = directory_->record().remarks;
  for (const std::string& text : remarks) warn(text);
  remarks.insert(remarks.begin(), remarks_.begin(), remarks_.end());
}

std::string RunWriter::place() const {
  return directory_ ? std::filesystem::absolute(directory_->path()).lexically_normal().string()
                    : std::string{};
}

std::vector<Cell> RunWriter::recorded(std::vector<Cell> cells) const {
  if (!directory_) return cells;
  for (Cell& cell : cells) {
    cell.scenario.workload.record = (directory_->path() / scenarios::recorded_jobs).string();
    for (scenarios::SchedulerChoice& choice : cell.scenario.schedulers)
      if (choice.scheduler->keep_logs)
        choice.scheduler->keep_logs(
            choice.options,
            std::filesystem::absolute(scenarios::logs_of(directory_->path(), choice.label))
                .string());
  }
  return cells;
}

void RunWriter::add(scenarios::Outcome& outcome) {
  open();
  if (!directory_) return;
  if (outcome.steered.operator_commands > 0) outcome.steered.again = keep_steered(outcome);
  directory_->add(outcome);
}

void RunWriter::add_broken_off(const scenarios::Outcome& outcome) {
  if (!directory_ || outcome.steered.operator_commands == 0) return;
  static_cast<void>(keep_steered(outcome));
  directory_->write_record();
}

// A steered scenario that another run has kept. A hard link may be a private file of the user's.
std::optional<std::string> steered_before(const std::string& file) {
  std::error_code error;
  if (std::filesystem::hard_link_count(file, error) != 1) return {};
  return scenarios::read_plain_file(file);
}

std::string RunWriter::keep_steered(const scenarios::Outcome& outcome) {
  const std::string& before = outcome.steered.again;
  const auto text =
      before.empty() ? scenarios::steered_toml(cells_, outcome) : steered_before(before);
  const bool broken_off = outcome.ending == core::Ending::interrupted;
  std::string file = text ? directory_->add_steered(*text) : "";
  steered_.push_back(
      describe(outcome.identity) + ", was steered by hand" +
      (broken_off ? " before it was interrupted: " : ": ") +
      (text ? std::filesystem::path(file).filename().string() + " there does the same again"
            : "what does the same again, " + before + ", is no longer there"));
  remark(steered_.back());
  return file;
}

void RunWriter::remark(const std::string& text) {
  if (std::ranges::find(remarks_, text) != remarks_.end()) return;
  remarks_.push_back(text);
  if (directory_) directory_->record().remarks = remarks_;
}

void RunWriter::put_together_from(const std::vector<scenarios::PartRecord>& parts) {
  if (directory_) directory_->record().parts = parts;
}

void RunWriter::watched(const scenarios::Watched& by) {
  if (directory_) directory_->record().watched = by;
}

void RunWriter::done_by(const std::vector<scenarios::Member>& members,
                        const std::optional<scenarios::LaunchRecord>& launch) {
  if (!directory_) return;
  directory_->record().launch = launch;
  directory_->record().processes.clear();
  for (const scenarios::Member& member : members)
    directory_->record().processes.push_back(
        {.host = member.host,
         .cores = member.cores,
         .host_cores = member.host_cores,
         .peers = member.peers,
         .clock_offset = std::chrono::duration<double>(member.clock_offset).count(),
         .clock_bound = std::chrono::duration<double>(member.clock_bound).count(),
         .round_trip = std::chrono::duration<double>(member.round_trip).count(),
         .runs = member.runs,
         .crossed = member.crossed,
         .lost = member.lost});
}

void RunWriter::conclude(const std::string& verdict) {
  if (!directory_) return;
  if (const auto waits = directory_->settle()) {
    warn(*waits);
    remark(*waits);
  }
  directory_->record().verdict = verdict;
  directory_->write_record();
  tell("Stored in " + directory_->path().string());
  for (const std::string& text : steered_) tell(text);
}

}  // namespace rhizome::tools
