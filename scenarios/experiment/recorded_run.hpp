// Runs on threads whose history was recorded, each in a file of its own beside its outcome, and
// their replay.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/replay_engine.hpp"
#include "core/history/history_writer.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

// The folder of histories in a run directory.
inline constexpr const char* histories_name = "history";

// Where an experiment records its runs on threads.
struct RecordingTarget {
  std::filesystem::path folder{};  // empty: nowhere
  std::string program{};           // fingerprint of the program that does the runs
};

// Begins the history of a run of so many peers. Throws CannotWrite.
[[nodiscard]] std::shared_ptr<core::HistoryWriter> begin_history(const RecordingTarget& recording,
                                                                 const Identity& identity,
                                                                 std::uint32_t peers);

struct RecordedRun {
  std::filesystem::path file;
  core::HistoryHeading heading;
};
// The recorded runs of a run directory, by name. Throws UnreadableFile if one is no history, or if
// there is none.
[[nodiscard]] std::vector<RecordedRun> recorded_runs(const std::filesystem::path& directory);

// The replay of a recorded run.
class ReplayedRun {
 public:
  // The cell and the observer outlive it. Throws UnreadableFile where the file cannot be read, or
  // is not of this scenario.
  ReplayedRun(const Cell& cell, const std::filesystem::path& file, core::ReplayStop stop,
              const core::Observer& observer);

  // Throws what the engine throws, and UnreadableFile where that is a damaged track.
  void run();
  [[nodiscard]] const core::ReplayEngine& engine() const { return *engine_; }
  [[nodiscard]] const core::History& history() const { return history_; }
  // Call it after the replay has reached the end of its record.
  [[nodiscard]] Outcome outcome() { return prepared_->outcome(report_); }

 private:
  const std::filesystem::path file_;
  const core::Observer& observer_;
  core::History history_;
  std::unique_ptr<Prepared> prepared_;
  std::unique_ptr<core::ReplayEngine> engine_;
  core::EngineReport report_;
};

}  // namespace rhizome::scenarios
