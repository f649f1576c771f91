// A run directory: all files of an experiment, in one place that is never overwritten.
//
//   scenario.toml   the effective scenario
//   steered.toml    a scenario that repeats a run that a user steered; for further
//                   such runs steered-2.toml and so on
//   run.json        versions, host, wall times, verdict
//   results.sqlite  the outcomes
//   waiting.sqlite  outcomes that wait while another program has locked results.sqlite
//   replay          a script that runs it again
//   files/          copies of what the scenario reads
//   history/        recordings of runs on threads, from which they are replayed
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/store/adding_lock.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/store/store.hpp"

namespace rhizome::scenarios {

// A patient store: a results store that another program may lock. While it is locked, outcomes are
// kept in a second store beside it, and are moved once the first can be written again.
class PatientStore {
 public:
  // `beside`: the file for waiting outcomes. It must not exist yet.
  PatientStore(Store store, std::filesystem::path beside)
      : store_(std::move(store)), path_(std::move(beside)) {}

  // Throws CannotWrite where neither store can be written.
  void add(const Outcome& outcome);
  // Moves all waiting outcomes to the store. Returns how many must still wait.
  std::size_t settle();

 private:
  Store store_;
  std::filesystem::path path_;
  std::optional<Store> beside_;
};

// Moves waiting outcomes in files that no process writes any more. Throws UnreadableFile while the
// store is locked.
void settle(const std::filesystem::path& store, const std::filesystem::path& beside);

// The prefix of the file names of scenarios of steered runs.
inline constexpr const char* steered_name = "steered";

// The file name of the record of a run directory.
inline constexpr const char* record_name = "run.json";

// Points the link `latest` beside the directory to it. The link is replaced atomically. Returns
// false where no link is possible: there is another file of that name, which belongs to the user,
// or the file system has no links.
bool point_latest(const std::filesystem::path& directory);

struct DirectoryOptions {
  std::filesystem::path root = "runs";
  std::string name;      // of the scenario; characters that do not suit a file name become '-'
  std::string scenario;  // the text of scenario.toml
  std::string replay;    // the command line
  // The files to copy: source, and place in the directory.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files{};
  std::uintmax_t most_copied = std::uintmax_t{64} << 20U;  // bytes of them in all
  // Only users who can read all of these files can enter the directory. A pipe can be read by this
  // user alone; "-" is standard input.
  std::vector<std::filesystem::path> sources{};
  std::vector<FileRead> read{};      // the files that are copied, and those that are not
  std::vector<FileRead> programs{};  // the files that commands name
  OrderRecord order{};  // the overrides and selections with which the scenario was read
  std::chrono::sys_seconds now{};
  // How long to wait for a program that locks the store.
  std::chrono::milliseconds patience = std::chrono::seconds(5);
};

// Where the programs of the scheduler with that label may write logs in a run directory; not made
// yet.
[[nodiscard]] std::filesystem::path logs_of(const std::filesystem::path& run,
                                            const std::string& label);

class RunDirectory {
 public:
  // Makes ROOT/NAME-TIME-N with the first free N, from 1, and points ROOT/latest at it. Safe
  // against another process doing the same. Throws CannotWrite.
  [[nodiscard]] static RunDirectory create(const DirectoryOptions& options);
  // Opens the directory of an interrupted experiment to add to it. Throws UnreadableFile.
  [[nodiscard]] static RunDirectory reopen(const std::filesystem::path& path, RunRecord record);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // The content of the next run.json. The caller adds remarks and, at the end, the verdict.
  [[nodiscard]] RunRecord& record() { return record_; }

  // Stores an outcome and its wall time, and writes the record.
  void add(const Outcome& outcome);
  // Stores a scenario that repeats a run that a user steered. Returns its file.
  std::string add_steered(const std::string& scenario);
  // Rewrites run.json, atomically, with the present time.
  void write_record();
  // To be called after the last outcome: moves waiting outcomes to the store. Returns a message if
  // some must still wait.
  [[nodiscard]] std::optional<std::string> settle();

 private:
  RunDirectory(std::filesystem::path path, AddingLock lock, Store store);
  // The scenario file of the first steered run, of the second, and so on.
  [[nodiscard]] std::filesystem::path steered_file(unsigned number) const;
  std::filesystem::path path_;
  AddingLock lock_;
  PatientStore store_;
  RunRecord record_;
  unsigned steered_ = 0;  // runs
};

// The rights of a new folder in `folder` for those who can read all sources that there are; "-" is
// standard input, which is for its user alone.
[[nodiscard]] mode_t readers_of_all(std::span<const std::filesystem::path> sources,
                                    const std::filesystem::path& folder);

// An earlier experiment, opened from its run directory.
struct StoredRun {
  std::filesystem::path path;     // of the directory
  std::filesystem::path results;  // of the file of the store
  RunRecord record;               // empty where run.json is missing
  Store store;

  // The name of the directory, fit to be shown.
  [[nodiscard]] std::string name() const;
  // The rights of a new file in the folder for those who can read the results and the scenario.
  [[nodiscard]] mode_t readers(const std::filesystem::path& folder) const;
  // As Store::read, with the wall time, the number of runs put aside for this one, and the number
  // of operator commands.
  [[nodiscard]] Outcome read(std::size_t i) const;
};

// `path` is a run directory, a link to one such as runs/latest, a directory with such a link, or a
// results.sqlite. Outcomes that wait for the store of a finished experiment are moved there first.
// Throws UnreadableFile.
[[nodiscard]] StoredRun open_run(const std::filesystem::path& path);

// "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_text(std::chrono::sys_seconds time);

}  // namespace rhizome::scenarios
