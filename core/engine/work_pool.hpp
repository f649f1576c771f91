// Threads for real computations, as many as the machine has cores, so that a kernel never blocks
// the messages of the peer that asked for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/peer/work.hpp"

namespace rhizome::core {

// Jobs queue first come, first served. Threads start with the first job.
class WorkPool {
 public:
  struct Job {
    PeerId peer;
    Incarnation incarnation;
    WorkId id;
    Work work;
  };
  // Called from a thread of the pool with the checksum of the product.
  using Done = std::function<void(const Job&, std::uint64_t result)>;

  explicit WorkPool(Done done) : done_(std::move(done)) {}
  ~WorkPool() { stop(); }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void submit(const Job& job);
  // Ends the running jobs and forgets the waiting ones.
  void stop();

 private:
  void serve();

  Done done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace rhizome::core
