// Tasks of served jobs that wait for other tasks of their job. They are held back here, so that
// every scheduler can serve such jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/serve/job.hpp"

namespace rhizome::tools {

class HeldTasks {
 public:
  // Tasks that may begin, and tasks that never will, because a task that they need has a wrong
  // result.
  struct Released {
    std::vector<std::uint32_t> ready{};
    std::vector<std::uint32_t> barred{};
  };
  // Adds a job, some of whose tasks are done already.
  [[nodiscard]] Released admit(const ServedJob& job, const std::vector<ServedTask>& done);
  // A task of a job has ended, or was barred. Nothing follows from that for jobs without needs.
  [[nodiscard]] Released ended(std::uint64_t job, std::uint32_t task, bool right);
  void forget(std::uint64_t job) { jobs_.erase(job); }

  // The job with that id, while tasks of it are held.
  [[nodiscard]] const ServedJob* find(std::uint64_t job) const;

 private:
  struct Held {
    ServedJob job;
    std::vector<std::uint32_t> missing{};                 // needs of each task that are not done
    std::vector<bool> over{};                             // done or barred
    std::vector<std::vector<std::uint32_t>> followers{};  // the tasks that need each task
    std::size_t left = 0;                                 // tasks that are not over
  };
  static void end(Held& held, std::uint32_t task, bool right, Released& released);

  std::map<std::uint64_t, Held> jobs_;
};

}  // namespace rhizome::tools
