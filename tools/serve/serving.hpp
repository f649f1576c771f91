// Serving: runs one scenario on threads with jobs that come over HTTP, and ends it in good order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/experiment/under_way.hpp"
#include "scenarios/world/sections.hpp"
#include "tools/monitor/web/door/server.hpp"
#include "tools/serve/completion_tracker.hpp"
#include "tools/serve/job_feed.hpp"
#include "tools/serve/job_store.hpp"
#include "tools/serve/orders.hpp"
#include "tools/serve/service.hpp"

namespace rhizome::tools {

class Serving {
 public:
  struct Options {
    JobStore::Options store;
    JobService::Limits limits;
    WebServer::Options web;  // its longest_upload bounds all uploads together
    std::chrono::nanoseconds drain = std::chrono::seconds(30);
  };
  // `feed` is the file of the section's jobs, and must outlive this object. Passes every open job
  // of the store to the feed. Throws what its members throw.
  Serving(const Options& options, const scenarios::WorkloadSection& section, JobFeed& feed);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  // Also writes the served jobs to that file, as a job list. Must be called before the run begins.
  // Throws CannotWrite.
  void record(const std::string& file) { records_.emplace_back(file); }
  // Adds the hooks that this object needs in the run to the others.
  void add_to(scenarios::RunHooks& hooks);
  // Becomes true to end the run at once.
  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  // Whether a job was refused that had been accepted, so that its results are wrong.
  [[nodiscard]] bool refused() const { return refused_; }
  // Starts the web server, publishes its address beside the store, and starts a thread that waits
  // until `asked` is true. From then on no more jobs are accepted. The run ends when all jobs are
  // done, or after the time to drain.
  void open(const std::atomic<bool>& asked);
  [[nodiscard]] std::string url() const;
  // Must be called when the run is over.
  void close();

  // The work that is open: before the run what an earlier server has left, after it what this one
  // has.
  struct Left {
    std::uint64_t jobs = 0;
    std::uint64_t tasks = 0;
  };
  [[nodiscard]] Left left() const;

 private:
  void take_up();
  void wait(const std::atomic<bool>& asked);

  const Options options_;
  JobFeed& feed_;
  JobStore store_;
  Orders orders_;
  Uploads uploads_;
  JobService service_;
  std::deque<scenarios::JobRecord> records_;
  std::optional<CompletionTracker> tracker_;
  std::optional<WebServer> server_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> refused_{false};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace rhizome::tools
