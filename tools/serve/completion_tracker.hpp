// The tracker: follows what a run tells of its tasks, and writes down which of the jobs that are
// served are done. It reads facts and nothing else, so that it serves every scheduler.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents/facts.hpp"
#include "core/engine/board.hpp"
#include "core/peer/fact_log.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "tools/serve/job_feed.hpp"
#include "tools/serve/job_store.hpp"

namespace rhizome::tools {

// Tasks that are not run because a task that they need has a wrong result: done, with a wrong
// result.
[[nodiscard]] std::vector<JobStore::Done> not_run(std::uint64_t job,
                                                  const std::vector<std::uint32_t>& tasks);
// Tells the feed that these tasks have ended. Returns the tasks that are not run for that.
[[nodiscard]] std::vector<JobStore::Done> barred_by(JobFeed& feed,
                                                    const std::vector<JobStore::Done>& ended);

class CompletionTracker {
 public:
  struct Options {
    // Jobs of the run that are done are put down in each of these, as long as their tasks took.
    std::deque<scenarios::JobRecord>* records = nullptr;
    std::function<void(const std::string&)> warn{};  // gets errors of the store
  };
  // Both outlive it.
  CompletionTracker(JobStore& store, JobFeed& feed, Options options);
  ~CompletionTracker() { end(); }
  CompletionTracker(const CompletionTracker&) = delete;
  CompletionTracker& operator=(const CompletionTracker&) = delete;

  // Follows a run that begins, until `end`; `speeds`: of its peers.
  void follow(const core::Board& board, std::vector<double> speeds);
  // Takes in all remaining facts, and stops following.
  void end();

 private:
  // An executor's report of a task.
  struct Ended {
    core::Duration took{0};
    std::string result{};
    bool right = true;
  };
  using Executions = std::map<std::uint32_t, Ended>;  // by executor
  struct Open {
    FedJob fed;
    core::Time arrived{};
    std::map<agents::TaskId, Executions> ended{};
    std::vector<bool> done{};
    std::size_t left = 0;
    core::Duration took{0};  // by those that are done, on a peer of speed 1
  };
  using Completions = std::vector<agents::TaskCompleted>;

  void sweep(const core::Board& board, Completions& completions);
  void take(core::PeerId peer, const core::EncodedFact& fact, Completions& completions);
  void complete(const agents::TaskCompleted& completed);
  [[nodiscard]] static Ended ended_by(const Executions& all, std::uint32_t peer);
  void put_down(std::uint32_t number, const Open& open);
  void flush();
  [[nodiscard]] Open* open(std::uint32_t number);

  JobStore& store_;
  JobFeed& feed_;
  const Options options_;
  std::vector<double> speeds_;
  std::vector<core::FactLog::Cursor> cursors_;
  std::map<std::uint32_t, Open> open_;
  std::vector<JobStore::Done> unwritten_;
  bool failing_ = false;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace rhizome::tools
