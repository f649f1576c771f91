// Threads for real computations, as many as the machine has cores and one for each suspended
// computation, so that a computation never blocks the messages of the peer that asked for it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/allotment.hpp"
#include "core/peer/ids.hpp"
#include "core/work/computation.hpp"

namespace rhizome::core {

// Computations queue first come, first served. As many run at a time as there are cores; those of
// peers that share processors, as many as their group has processors, if the machine has enough for
// all groups. Threads start with the first computation.
class WorkPool {
 public:
  // Which peer the work belongs to, in which of its lives.
  struct Ticket {
    PeerId peer;
    Incarnation life;
    WorkId id;
    friend bool operator==(const Ticket&, const Ticket&) = default;
  };
  // Called from any thread with the result of the work. Work that could not begin has a wrong
  // result that says why: for want of memory at one peer the others do not lose their run.
  using Done = std::function<void(const Ticket&, const Result&)>;

  explicit WorkPool(Done done, Allotment allotment = {})
      : done_(std::move(done)), allotment_(std::move(allotment)) {}
  ~WorkPool() { stop(); }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void submit(const Ticket& ticket, std::unique_ptr<Computation> computation);
  // From now on the work goes on at that rate; suspended work holds up no other work.
  void pace(const Ticket& ticket, double rate);
  // Forgets the work if it waits, and ends it at once if it runs; no result is reported.
  void cancel(const Ticket& ticket);
  // Ends running work and forgets waiting work. Nothing of it is left afterwards.
  void stop();

 private:
  struct Job {
    Ticket ticket{};
    std::unique_ptr<Computation> computation;
    double rate = 1;
    bool wanted = true;  // its result is to be reported
    bool left = false;   // it has been begun, and its thread is free again
    bool over = false;

    [[nodiscard]] bool busy() const { return rate > 0 && !over && !computation->elsewhere(); }
  };
  using Jobs = std::list<Job>;  // so that each job stays where it is

  [[nodiscard]] static std::size_t cores();
  void begin_elsewhere(Job job);
  void add_threads();
  void serve();
  [[nodiscard]] Jobs::iterator next();
  [[nodiscard]] bool has_core(PeerId peer) const;
  void start(std::unique_lock<std::mutex>& lock, Jobs::iterator job);
  void begin(Jobs::iterator job);
  void bury(std::unique_lock<std::mutex>& lock);
  void conclude(Jobs::iterator job, const Result& result);
  static void end(Job& job);

  Done done_;
  const Allotment allotment_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Jobs waiting_;
  Jobs running_;
  Jobs ended_;  // ended jobs whose threads have left them
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace rhizome::core
