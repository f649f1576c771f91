// Threads for real computations, as many as the machine has cores and one for each that is
// suspended, so that a computation never blocks the messages of the peer that asked for it.
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

// Computations queue first come, first served; as many as there are cores go on at a time, and of
// peers that share processors as many as those are, where the machine has processors for them.
// Threads start with the first.
class WorkPool {
 public:
  // Whose work it is, in which of its lives.
  struct Ticket {
    PeerId peer;
    Incarnation life;
    WorkId id;
    friend bool operator==(const Ticket&, const Ticket&) = default;
  };
  // Called from any thread with what the work yields. What could not begin is wrong, and says why:
  // for want of memory at one peer the others do not lose their run.
  using Done = std::function<void(const Ticket&, const Result&)>;

  explicit WorkPool(Done done, Allotment allotment = {})
      : done_(std::move(done)), allotment_(std::move(allotment)) {}
  ~WorkPool() { stop(); }
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void submit(const Ticket& ticket, std::unique_ptr<Computation> computation);
  // From now on it goes on at that rate; what is suspended holds up nobody.
  void pace(const Ticket& ticket, double rate);
  // Forgets it if it waits, and ends it at once if it runs: nobody is told.
  void cancel(const Ticket& ticket);
  // Ends what runs and forgets what waits. Nothing of it is left afterwards.
  void stop();

 private:
  struct Job {
    Ticket ticket{};
    std::unique_ptr<Computation> computation;
    double rate = 1;
    bool wanted = true;  // somebody is to hear of its end
    bool left = false;   // it has been begun, and its thread is free again
    bool over = false;

    [[nodiscard]] bool busy() const { return rate > 0 && !over; }
  };
  using Jobs = std::list<Job>;  // each stays where it is

  [[nodiscard]] static std::size_t cores();
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
  Jobs ended_;  // and the threads that began them have left them
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace rhizome::core
