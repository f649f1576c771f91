// The feed: hands accepted jobs to the run, as lines through a pipe that its job list reads as they
// come. So whatever runs a list through a pipe can serve; and the run ends when the feed is closed
// and all is done, as it does with a pipe.
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
#include "tools/serve/job.hpp"

namespace rhizome::tools {

// Tasks of a job that is served, which are a job of the run: its portions 0, 1, 2 and so on.
struct FedJob {
  std::uint64_t job = 0;
  std::vector<std::uint32_t> tasks{};
  double seconds = 0;  // that each is said to take
};

class JobFeed {
 public:
  // Asked of each line before it goes; what is refused is told, and does not go.
  struct Judge {
    std::function<void(const std::string& work)> check;  // throws BadOrder
    std::function<void(const FedJob&, const std::string& why)> refused;
  };
  // Throws std::system_error where there is no pipe to be had. Nothing goes before `begin`.
  JobFeed();
  ~JobFeed() { end(); }
  JobFeed(const JobFeed&) = delete;
  JobFeed& operator=(const JobFeed&) = delete;

  // The file from which the run reads, of this process alone.
  [[nodiscard]] std::string file() const;
  void begin(Judge judge);
  // Those tasks of a job, soon. From any thread, as all that follows.
  void add(const ServedJob& job, const std::vector<std::uint32_t>& tasks);
  // Nothing of a job that has not gone yet goes any more; what has gone goes on.
  void withdraw(std::uint64_t job);
  // No more will come: once all has gone the run is told so.
  void close();

  // Nothing goes any more, and the judge is asked no more.
  void end();
  // Whether any line has gone.
  [[nodiscard]] bool used() const;
  // Which job of the run that is; nothing where none of that number has gone.
  [[nodiscard]] std::optional<FedJob> fed(std::uint32_t number) const;
  // It will not be asked for any more.
  void forget(std::uint32_t number);

 private:
  struct Line {
    FedJob job;
    std::string work;
  };
  void go_on();
  void put(const Line& line);
  void write(const std::string& text) const;

  Judge judge_;
  int reader_ = -1;
  int writer_ = -1;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Line> lines_;
  std::map<std::uint32_t, FedJob> fed_;
  std::uint32_t next_ = 0;
  bool closing_ = false;
  std::atomic<bool> stopping_{false};
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace rhizome::tools
