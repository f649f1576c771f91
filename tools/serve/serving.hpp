// Serving: one scenario on threads whose jobs come over HTTP, from its beginning to its end in good
// order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <thread>

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
    WebServer::Options web;
    std::chrono::nanoseconds drain = std::chrono::seconds(30);
  };
  // The feed is the file of the section's jobs, and outlives this. Takes up every open job of the
  // store. Throws what its parts throw.
  Serving(const Options& options, const scenarios::WorkloadSection& section, JobFeed& feed);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  // What is served is put down in that file, as a job list; before the run begins. Throws
  // CannotWrite.
  void record(const std::string& file) { records_.emplace_back(file); }
  // Adds what is to be done of the run, besides what else is.
  void add_to(scenarios::RunHooks& hooks);
  // Ends the run at once.
  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  // Opens the door, and from then on waits beside the run until `asked` is true: then takes no more
  // jobs, and lets the run end when all are done, or when it has drained for long enough.
  void open(const std::atomic<bool>& asked);
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  // The run is over.
  void close();

  // What is left when it is over.
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
  JobService service_;
  std::deque<scenarios::JobRecord> records_;
  std::optional<CompletionTracker> tracker_;
  std::optional<WebServer> server_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace rhizome::tools
