// Stores the jobs of a server in a file, so that accepted jobs survive the server: a job is on the
// disk before the client gets its reply, even if the process or the machine then fails (SQLite,
// synchronous = FULL). Jobs that arrive at the same time are committed together. All functions may
// be called from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/store/database.hpp"
#include "tools/serve/job.hpp"
#include "tools/serve/job_watch.hpp"

namespace rhizome::tools {

// There is no room for another job. Nothing new was stored, and the stored jobs remain.
class StoreFull : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class JobStore {
 public:
  struct Options {
    std::filesystem::path file;
    std::uint64_t most_bytes = 0;  // the maximum size; 0: as much as the disk has
  };
  // Throws scenarios::CannotWrite if another server uses the file, if it is no store of jobs, or if
  // it does not belong to this user. A new file is accessible to this user only.
  explicit JobStore(const Options& options);
  ~JobStore();
  JobStore(const JobStore&) = delete;
  JobStore& operator=(const JobStore&) = delete;

  // Returns once the job is on the disk. Throws StoreFull.
  struct Accepted {
    ServedJob job;
    bool known = false;  // an order with the same key was accepted before
  };
  [[nodiscard]] Accepted accept(const JobOrder& order);
  // The job of the order with that key; none if there is none.
  [[nodiscard]] std::optional<ServedJob> find(const std::string& key) const;

  // None if there is no job with that id.
  [[nodiscard]] std::optional<ServedJob> job(std::uint64_t id) const;
  // At most `most` jobs with ids above `after`, in the order of their ids, and fewer where their
  // orders are long; none only if there is no further one.
  [[nodiscard]] std::vector<ServedJob> jobs(std::uint64_t after, std::uint32_t most,
                                            std::optional<JobState> state = {}) const;
  // Finished tasks of a job, from task number `from` on.
  [[nodiscard]] std::vector<ServedTask> tasks(std::uint64_t job, std::uint32_t from,
                                              std::uint32_t most) const;

  // Records finished tasks, each once. A job is done when its last task is. Tasks that are known
  // already, and tasks of jobs that are not open, change nothing. Throws StoreFull.
  struct Done {
    std::uint64_t job = 0;
    ServedTask task{};
  };
  void complete(const std::vector<Done>& done);
  // Returns false if the job is not open. Throws StoreFull.
  [[nodiscard]] bool cancel(std::uint64_t id);

  struct Counts {
    std::uint64_t jobs[3] = {0, 0, 0};  // by state
    std::uint64_t tasks = 0;            // done
    std::uint64_t wrong = 0;            // tasks with a wrong result
  };
  [[nodiscard]] Counts counts() const;
  // Rings for each job that complete() or cancel() has changed.
  [[nodiscard]] JobWatch& watch() { return watch_; }

 private:
  class Lock;
  struct Waiting {
    const JobOrder* order;
    std::optional<Accepted> accepted{};
    std::exception_ptr failure{};
    bool over = false;
  };
  struct Statements;

  void write_on();
  void write(const std::vector<Waiting*>& batch);
  [[nodiscard]] Accepted insert(const JobOrder& order);
  [[nodiscard]] Counts count() const;

  const std::unique_ptr<Lock> lock_;
  JobWatch watch_;
  mutable std::mutex reading_;
  mutable std::mutex writing_;
  scenarios::Database writer_;
  scenarios::Database reader_;
  std::unique_ptr<Statements> statements_;
  Counts counts_{};  // of committed jobs; guarded by `waiting_mutex_`
  mutable std::mutex waiting_mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> waiting_;
  bool stopping_ = false;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace rhizome::tools
