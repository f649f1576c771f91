// The feed: passes accepted jobs to the run, as lines through a pipe that the run reads as its job
// list. So any scheduler that runs a job list from a pipe can serve. As with any pipe, the run ends
// when the feed is closed and all jobs are done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agents/task.hpp"
#include "tools/serve/held_tasks.hpp"
#include "tools/serve/job.hpp"

namespace rhizome::tools {

// Some tasks of a served job, which form one job of the run: its portions 0, 1, 2 and so on.
struct FedJob {
  std::uint64_t job = 0;
  std::vector<std::uint32_t> tasks{};
  double seconds = 0;  // declared duration of each task
};

class JobFeed {
 public:
  // Checks each line before it is written; a refused line is reported and not written.
  struct Judge {
    std::function<void(const std::string& work)> check;  // throws BadOrder
    std::function<void(const FedJob&, const std::string& why)> refused;
  };
  // Throws std::system_error if no pipe can be made. No line is written before `begin`.
  JobFeed();
  ~JobFeed() { end(); }
  JobFeed(const JobFeed&) = delete;
  JobFeed& operator=(const JobFeed&) = delete;

  // The path that the run reads; it is valid in this process only.
  [[nodiscard]] std::string file() const;
  void begin(Judge judge);
  // Queues the tasks of a job, of which these are done already; a task that needs others waits
  // until they are done. Returns the tasks that will not be run, because a task that they need has
  // a wrong result. This and the following functions may be called from any thread.
  [[nodiscard]] std::vector<std::uint32_t> add(const ServedJob& job,
                                               const std::vector<ServedTask>& done);
  // A task of a job has ended, which may release others. Returns the same.
  [[nodiscard]] std::vector<std::uint32_t> ended(std::uint64_t job, std::uint32_t task, bool right);
  // Removes the queued lines of a job, and what waits; lines already written are not affected.
  void withdraw(std::uint64_t job);
  // Announces that no more jobs come: after the last line, the pipe is closed.
  void close();

  // Stops at once: no further line is written, and the judge is not called again.
  void end();
  // Whether any line was written.
  [[nodiscard]] bool used() const;
  // The tasks of the run's job with that number; none if no line with that number was written.
  [[nodiscard]] std::optional<FedJob> fed(std::uint32_t number) const;
  // Forgets a job of the run: fed() will not be called for it again.
  void forget(std::uint32_t number);

 private:
  struct Line {
    FedJob job;
    std::string work;
  };
  void queue(const ServedJob& job, const std::vector<std::uint32_t>& tasks);
  void go_on();
  void put(const Line& line);
  void write(const std::string& text) const;

  Judge judge_;
  int reader_ = -1;
  int writer_ = -1;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Line> lines_;
  HeldTasks held_;
  std::map<std::uint32_t, FedJob> fed_;
  std::uint32_t next_ = 0;
  bool closing_ = false;
  std::atomic<bool> stopping_{false};
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace rhizome::tools
