// Lists of jobs, which are easily written by a program: a line for each job tells when it is handed
// in, how many tasks it has, and how long they take.
//   0.5 4 0.02     at half a second, four tasks of 20 ms
//   now 4 0.02     the same, as soon as the line has come through a pipe
//   0.5 4 0.02 count file=corpus.txt    tasks that count words, for about as long (job_work.hpp)
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/text/whole_file.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// Bounds of the jobs that clients hand in while a run goes on: the run needs them before it starts.
struct JobBounds {
  std::uint32_t most_tasks = 1000;
  Duration longest_task = std::chrono::hours(1);
  std::string folder{};
  std::string programs{};
  // Lines are judged before they come, so that none is refused: a job whose files have gone since
  // then ends as wrong. No setting.
  bool judged = false;
  // The store of a server's jobs, without links: no job reads it or another database. To close one
  // in the server's process takes SQLite's locks away. No setting.
  std::string store{};
};

[[nodiscard]] std::vector<core::Setting> job_list_settings();
[[nodiscard]] std::unique_ptr<agents::Arrivals> open_job_list(const WorkloadSection& section);
// The programs that jobs of a list may run, with their paths; none for another kind of workload.
[[nodiscard]] std::vector<std::string> programs_of_jobs(const WorkloadSection& section);
// The setting that names a folder.
[[nodiscard]] std::string* job_list_folder(WorkloadSection& section);
[[nodiscard]] agents::Profile bounds_of_job_list(const WorkloadSection& section);

// Keeps jobs that were handed in while a run went on.
class JobRecord {
 public:
  // Writes them into that file as they come, as a list that can be run again; "": nowhere. Throws
  // CannotWrite.
  explicit JobRecord(const std::string& file);
  void add(const agents::Job& job);
  [[nodiscard]] const agents::Profile& profile() const { return profile_; }

 private:
  std::string name_;
  std::unique_ptr<OwnLines> file_;
  agents::Profile profile_;
};

}  // namespace rhizome::scenarios
