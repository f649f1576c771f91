// Threads for real computations, as many as the machine has cores and one for each suspended
// computation, so that a computation never blocks the messages of the peer that asked for it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/crowd.hpp"
#include "core/peer/ids.hpp"
#include "core/work/computation.hpp"

namespace rhizome::core {

// Which processors of this machine stand for those that groups of peers share. The real work of a
// group is bound to its own processors by affinity, which child processes inherit. Groups take
// processors in their order; where the machine has too few for all of them, no group is bound.
class Allotment {
 public:
  // Binds no peer to any processor.
  Allotment() = default;
  // Allots the processors that this process may use.
  explicit Allotment(const std::vector<ProcessorGroup>& groups);
  Allotment(const std::vector<ProcessorGroup>& groups, const std::vector<int>& processors);

  // Nothing for a peer that may use them all.
  [[nodiscard]] std::optional<std::size_t> group_of(PeerId peer) const;
  [[nodiscard]] std::size_t cores_of(std::size_t group) const { return own_[group].size(); }
  // Binds the calling thread to processors of this peer.
  void bind_to(PeerId peer) const;

 private:
  std::map<PeerId, std::size_t> groups_;
  std::vector<std::vector<int>> own_;  // by group
  std::vector<int> rest_;              // for peers in no group: what is left, or all
};

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
