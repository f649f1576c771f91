// A run directory: everything that an experiment leaves behind, in one place that is never
// overwritten.
//
//   scenario.toml   the effective scenario
//   steered.toml    of a run that somebody steered: a scenario that does the same again; of
//                   further ones steered-2.toml and so on
//   run.json        versions, host, wall times, verdict
//   results.sqlite  the outcomes
//   waiting.sqlite  those that are not there yet, while another program has locked it
//   replay          the command that runs it again
//   files/          copies of what the scenario reads
//   history/        of runs on threads that were recorded, what replays them
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/store/patient_store.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/store.hpp"

namespace rhizome::scenarios {

// With what the names of scenarios of steered runs begin.
inline constexpr const char* steered_name = "steered";

// Of the record in a directory.
inline constexpr const char* record_name = "run.json";

// Lets `latest` beside the directory lead to it. The link is replaced in one step. False where
// there can be none: something else of that name, which is somebody's own, or a file system without
// links.
bool point_latest(const std::filesystem::path& directory);

struct DirectoryOptions {
  std::filesystem::path root = "runs";
  std::string name;      // of the scenario; what a file name had better not hold becomes '-'
  std::string scenario;  // the text of scenario.toml
  std::string replay;    // the command line
  // To be copied: from where, and to where in the directory.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files{};
  std::vector<FileRead> read{};  // those, and what is not copied
  OrderRecord order{};           // what the scenario was read with
  std::chrono::sys_seconds now;
  std::chrono::milliseconds patience = std::chrono::seconds(5);  // with who locks the store
};

class RunDirectory {
 public:
  // Makes ROOT/NAME-TIME-N with the first free N, from 1, and points ROOT/latest at it. Safe
  // against another process doing the same. Throws CannotWrite.
  [[nodiscard]] static RunDirectory create(const DirectoryOptions& options);
  // One that was broken off, to be added to. Throws UnreadableFile.
  [[nodiscard]] static RunDirectory reopen(const std::filesystem::path& path, RunRecord record);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // What run.json will say, to be added to: remarks and, at last, the verdict.
  [[nodiscard]] RunRecord& record() { return record_; }

  // Stores an outcome and its wall time, and writes the record.
  void add(const Outcome& outcome);
  // Keeps a scenario that does a run again that somebody steered; its file.
  std::string add_steered(const std::string& scenario);
  // Writes run.json anew, whole or not at all, as of the present hour.
  void write_record();
  // After the last outcome: lets those that wait for the store go there. What is to be told of any
  // that still have to.
  [[nodiscard]] std::optional<std::string> settle();

 private:
  RunDirectory(std::filesystem::path path, Store store);
  // The scenario of the first run that somebody steered, of the second, and so on.
  [[nodiscard]] std::filesystem::path steered_file(unsigned number) const;
  std::filesystem::path path_;
  PatientStore store_;
  RunRecord record_;
  unsigned steered_ = 0;  // runs
};

// A run of before.
struct StoredRun {
  std::filesystem::path path;  // of the directory
  RunRecord record;            // empty where run.json is missing
  Store store;

  // The name of the directory.
  [[nodiscard]] std::string name() const { return path.filename().string(); }
  // As Store::read, with its wall time, the count of runs put aside for it, and how often somebody
  // steered it.
  [[nodiscard]] Outcome read(std::size_t i) const;
};

// `path` is a run directory, a link to one such as runs/latest, a directory with such a link, or a
// results.sqlite. Outcomes that wait for the store of a run that is over go there first. Throws
// UnreadableFile.
[[nodiscard]] StoredRun open_run(const std::filesystem::path& path);

// "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_text(std::chrono::sys_seconds time);

}  // namespace rhizome::scenarios
