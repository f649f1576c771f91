// Threads for real computations, as many as the machine has cores and one for each that is
// suspended, so that a kernel never blocks the messages of the peer that asked for it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "core/engine/throttle.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// Jobs queue first come, first served. Threads start with the first job.
class WorkPool {
 public:
  // Whose work it is, in which of its lives.
  struct Ticket {
    PeerId peer;
    Incarnation life;
    WorkId id;
    friend bool operator==(const Ticket&, const Ticket&) = default;
  };
  // Called from a thread of the pool with what the work yields.
  using Done = std::function<void(const Ticket&, std::uint64_t result)>;

  explicit WorkPool(Done done) : done_(std::move(done)) {}
  ~WorkPool() { stop(); }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void submit(const Ticket& ticket, const Work& work);
  // From now on it goes on at that rate; what is suspended holds up nobody.
  void pace(const Ticket& ticket, double rate);
  // Forgets it if it waits, and ends it soon if it runs: nobody is told.
  void cancel(const Ticket& ticket);
  // Ends what runs and forgets what waits.
  void stop();

 private:
  struct Job {
    Ticket ticket;
    Work work;
    double rate = 1;
  };
  struct Running {
    Ticket ticket{};
    Throttle throttle;
  };
  void serve();
  void end(Running& running);
  void add_threads();

  Done done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::list<Running> running_;  // each stays where it is
  std::vector<std::thread> threads_;
  std::size_t suspended_ = 0;  // of those running
  bool stopping_ = false;
};

}  // namespace rhizome::core
