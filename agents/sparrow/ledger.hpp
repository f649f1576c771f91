// The books of the source: which job is at which master, and which tasks are done. The ledger gives
// the jobs of a dead master to its successor on the ring, and ends the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "overlay/failure_detector.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

// The tasks of a job that are not done. A task that is done leaves a gap, since the books of a job
// close as a whole.
class OpenTasks {
 public:
  // Adding an open task again has no effect.
  void add(const Task& task) {
    const std::uint32_t portion = task.id.portion;
    if (portion >= tasks_.size()) {
      tasks_.resize(portion + 1);
      open_.resize(portion + 1);
    }
    if (open_[portion]) return;
    tasks_[portion] = task;
    open_[portion] = true;
    ++count_;
  }
  // False for a task that is not open.
  bool close(std::uint32_t portion) {
    if (portion >= open_.size() || !open_[portion]) return false;
    open_[portion] = false;
    if (--count_ == 0) *this = {};
    return true;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // An open task.
  [[nodiscard]] const Task& at(std::uint32_t portion) const { return tasks_.at(portion); }
  // Calls f(task) for each open task, by portion.
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (open_[i]) f(tasks_[i]);
  }

 private:
  std::vector<Task> tasks_;  // by portion
  std::vector<bool> open_;   // likewise
  std::size_t count_ = 0;
};

class Ledger {
 public:
  using Messages = core::OneOf<Report, Adopted, Hello, OverToo>;
  using Timers = core::OneOf<AdoptDue, OverDue>;
  using Signals = core::OneOf<overlay::Liveness, overlay::PingRound, Submitted, Announced, Drained>;

  Ledger(const Options& options, const World& world, const overlay::HashRing& ring,
         overlay::FailureDetector& detector);

  void start(Env& env);
  void on(Env& env, PeerId from, const Report& message);
  void on(Env& env, PeerId from, const Adopted& message);
  void on(Env& env, PeerId from, const Hello& message);
  void on(Env& env, PeerId from, const OverToo& message);
  void on(Env& env, const AdoptDue& due);
  void on(Env& env, const OverDue& due);
  // A master has died or lost its memory; or a peer that was taken for dead lives.
  void on(Env& env, const overlay::Liveness& news);
  // Repeats that the run is over to all peers that may live and have not acknowledged it.
  void on(Env& env, const overlay::PingRound& round);
  // A job has been handed in here, or at its master.
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Announced& job);
  // All jobs are done, and no more will come: tells all peers that the run is over.
  void on(Env& env, const Drained& drained);
  // All other peers have acknowledged the end or had the time for it: the source may rest. It does
  // not wait for a peer whose death it does not know, since a source at rest still answers and
  // reminds.
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  // A job is at one master as long as it is open.
  struct Entry {
    PeerId master = core::no_peer;
    OpenTasks left{};          // tasks that may run
    bool handed_over = false;  // the master was given the job from here, and gets its later tasks
                               // from here too
  };
  using Jobs = std::set<std::uint32_t>;

  [[nodiscard]] bool knows(std::uint32_t job) const {
    return job < jobs_.size() && jobs_[job].master != core::no_peer;
  }
  template <class M, class T>
  static void order(Env& env, PeerId to, const std::vector<T>& items, std::uint64_t number);
  void enter(Env& env, const Announced& job);
  void give(Env& env, TaskId task, PeerId successor);
  void end(Env& env);
  void bury(Env& env, PeerId master);
  void greet(Env& env, PeerId peer);
  void disown(Env& env, PeerId peer);
  void remind(Env& env);
  void close(TaskId task);
  void watch(Env& env, PeerId master);
  void hand_over(Env& env, std::uint32_t job);
  void tell(Env& env, PeerId peer);
  void rest(Env& env);
  void adopt(Env& env);

  const Options& options_;
  const World& world_;
  const overlay::HashRing& ring_;
  overlay::FailureDetector& detector_;
  std::vector<Entry> jobs_;   // by number
  std::set<PeerId> watched_;  // masters, for the jobs that they have or may be given
  // Tasks not acknowledged by their new masters, and the order in which each was first given.
  std::map<PeerId, std::map<TaskId, std::uint64_t>> adopting_;
  std::map<PeerId, std::uint32_t> lives_;  // the latest life that each peer has announced
  std::map<PeerId, Jobs> lost_;            // the jobs of peers taken for dead
  std::uint64_t orders_ = 0;               // to masters so far
  bool over_ = false;
  bool closed_ = false;
  bool repeats_ = false;
  std::set<PeerId> untold_;  // peers that have not acknowledged the end
  core::TimerId repeating_{};
  core::TimerId ending_{};
};

}  // namespace rhizome::agents::sparrow
