#include "scenarios/experiment/recorded_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/history/track_reader.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios {

namespace {

namespace fs = std::filesystem;

constexpr const char* suffix = ".history";

// Letters and digits are good in any file system.
std::string plain(std::string text) {
  std::ranges::replace_if(
      text,
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
      },
      '-');
  return text;
}

// Labels that are alike in plain letters have different numbers.
fs::path file_of(const fs::path& folder, const Identity& identity) {
  const std::string stem = fmt::format("{}-{}", plain(identity.label), identity.repetition + 1);
  fs::path file = folder / (stem + suffix);
  for (int n = 2; fs::exists(file); ++n) {
    const core::HistoryHeading there = core::read_heading(file);
    if (there.scheduler == identity.label) break;  // of a run that is repeated
    file = folder / (stem + "-" + std::to_string(n) + suffix);
  }
  return file;
}

core::History read(const fs::path& file) {
  try {
    return core::read_history(file);
  } catch (const core::UnreadableHistory& error) {
    throw UnreadableFile(error.what());
  }
}

RunOfCell run_of(const Cell& cell, const core::HistoryHeading& heading, const fs::path& file) {
  const std::vector<SchedulerChoice>& choices = cell.scenario.schedulers;
  const auto choice = std::ranges::find_if(
      choices, [&](const SchedulerChoice& one) { return one.label == heading.scheduler; });
  const bool same = choice != choices.end() && heading.scenario == cell.scenario.name &&
                    heading.seed == repetition_seed(cell.scenario, heading.repetition);
  if (!same)
    throw UnreadableFile(fmt::format(
        "{} is the history of {}, repetition {}, of the scenario {} with seed {}, which is no run "
        "of {}",
        file.string(), heading.scheduler, heading.repetition + 1, heading.scenario, heading.seed,
        cell.scenario.file));
  return {static_cast<std::size_t>(choice - choices.begin()), heading.repetition, DoneBy::one};
}

}  // namespace

std::shared_ptr<core::HistoryWriter> begin_history(const RecordingTarget& recording,
                                                   const Identity& identity, std::uint32_t peers) {
  if (recording.folder.empty()) return nullptr;
  try {
    fs::create_directories(recording.folder);
    return std::make_shared<core::HistoryWriter>(
        file_of(recording.folder, identity), core::HistoryHeading{.scenario = identity.scenario,
                                                                  .scheduler = identity.label,
                                                                  .repetition = identity.repetition,
                                                                  .seed = identity.seed,
                                                                  .peers = peers,
                                                                  .program = recording.program});
  } catch (const std::runtime_error& error) {
    throw CannotWrite(std::string("no history can be recorded: ") + error.what());
  }
}

std::vector<RecordedRun> recorded_runs(const fs::path& directory) {
  std::vector<RecordedRun> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory / histories_name, error))
    if (entry.path().extension() == suffix) runs.push_back({entry.path(), {}});
  if (runs.empty())
    throw UnreadableFile(directory.string() +
                         " has no history to replay: it is kept by rhizome run --record");
  std::ranges::sort(runs,
                    [](const RecordedRun& a, const RecordedRun& b) { return a.file < b.file; });
  try {
    for (RecordedRun& run : runs) run.heading = core::read_heading(run.file);
  } catch (const core::UnreadableHistory& unreadable) {
    throw UnreadableFile(unreadable.what());
  }
  return runs;
}

ReplayedRun::ReplayedRun(const Cell& cell, const fs::path& file, core::ReplayStop stop,
                         const core::Observer& observer)
    : file_(file),
      observer_(observer),
      history_(read(file)),
      prepared_(std::make_unique<Prepared>(cell, run_of(cell, history_.heading, file), observer)) {
  try {
    engine_ = std::make_unique<core::ReplayEngine>(prepared_->setup(), history_, std::move(stop));
  } catch (const core::DamagedTrack& damaged) {
    throw UnreadableFile(file.string() + " is damaged: " + damaged.what());
  } catch (const core::Divergence& divergence) {
    throw UnreadableFile(file.string() + " is of another run: " + divergence.what());
  }
}

void ReplayedRun::run() {
  try {
    report_ = engine_->run(observer_);
  } catch (const core::DamagedTrack& damaged) {
    throw UnreadableFile(file_.string() + " is damaged: " + damaged.what());
  }
}

}  // namespace rhizome::scenarios
