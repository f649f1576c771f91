// The jobs of a server in a file, so that what was accepted outlives it: a job is on the disk
// before it is answered, whatever becomes of the process or the machine then (SQLite, synchronous =
// FULL). Jobs that come at once are committed together. From any thread.
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

namespace rhizome::tools {

// There is no room for another job: nothing was stored, and what was stays.
class StoreFull : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class JobStore {
 public:
  struct Options {
    std::filesystem::path file;
    std::uint64_t most_bytes = 0;  // that it may take; 0: as much as the disk has
  };
  // Throws scenarios::CannotWrite where another server has it, it is no store of jobs, or it is not
  // this user's own. A new one is for this user alone.
  explicit JobStore(const Options& options);
  ~JobStore();
  JobStore(const JobStore&) = delete;
  JobStore& operator=(const JobStore&) = delete;

  // Whether a server has that store at this moment.
  [[nodiscard]] static bool is_served(const std::filesystem::path& file);

  // Returns once it is on the disk. Throws StoreFull.
  struct Accepted {
    ServedJob job;
    bool known = false;  // it was accepted before, by the same key
  };
  [[nodiscard]] Accepted accept(const JobOrder& order);
  // Of an order with that key; nothing where there is none.
  [[nodiscard]] std::optional<ServedJob> find(const std::string& key) const;

  // Nothing where there is none.
  [[nodiscard]] std::optional<ServedJob> job(std::uint64_t id) const;
  // Those after that one, by id, so many at most.
  [[nodiscard]] std::vector<ServedJob> jobs(std::uint64_t after, std::uint32_t most,
                                            std::optional<JobState> state = {}) const;
  // Tasks of a job that are done, from that one on.
  [[nodiscard]] std::vector<ServedTask> tasks(std::uint64_t job, std::uint32_t from,
                                              std::uint32_t most) const;

  // Which of them are done; of each, once. A job whose last one is among them is done. What is
  // known already, and of jobs that are not open, changes nothing. Throws StoreFull.
  struct Done {
    std::uint64_t job = 0;
    ServedTask task{};
  };
  void complete(const std::vector<Done>& done);
  // False where it is not open. Throws StoreFull.
  [[nodiscard]] bool cancel(std::uint64_t id);

  struct Counts {
    std::uint64_t jobs[3] = {0, 0, 0};  // by state
    std::uint64_t tasks = 0;            // done
    std::uint64_t wrong = 0;            // of them
  };
  [[nodiscard]] Counts counts() const;

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
  mutable std::mutex reading_;
  mutable std::mutex writing_;
  scenarios::Database writer_;
  scenarios::Database reader_;
  std::unique_ptr<Statements> statements_;
  Counts counts_{};  // of what is committed; under `waiting_mutex_`
  mutable std::mutex waiting_mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> waiting_;
  bool stopping_ = false;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace rhizome::tools
