// The source of work: it knows which job is at which master and which tasks are done, gives the
// jobs of a dead master to its successor on the ring, and ends the run.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "core/peer/env.hpp"
#include "overlay/failure_detector.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

class Ledger {
 public:
  using Messages = core::OneOf<Report, Adopted, Hello, OverToo>;
  using Timers = core::OneOf<AdoptDue, OverDue>;

  Ledger(const Options& options, const World& world, const overlay::HashRing& ring,
         overlay::FailureDetector& detector);

  void start(Env& env);
  void on(Env& env, PeerId from, const Report& message);
  void on(Env& env, PeerId from, const Adopted& message);
  void on(Env& env, PeerId from, const Hello& message);
  void on(Env& env, PeerId from, const OverToo& message);
  void on(Env& env, const AdoptDue& due);
  void on(Env& env, const OverDue& due);
  // A master has died, or lost its memory.
  void bury(Env& env, PeerId master);
  // A peer that was taken for dead lives; in the same life, it has to disown what it had.
  void greet(Env& env, PeerId peer);
  void disown(Env& env, PeerId peer);
  // Says once more that the run is over to whoever may live and has not acknowledged it.
  void remind(Env& env);
  // Everybody else has acknowledged the end or had the time for it: the source may rest. A peer of
  // whose death it does not know is not waited for, since a source at rest still answers and
  // reminds.
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  // A job is at one master as long as it is open.
  struct Entry {
    PeerId master;
    std::vector<bool> done;  // by portion
    std::size_t left;
  };
  using Jobs = std::set<std::uint32_t>;

  bool close(TaskId task);
  void close_job(Env& env, std::uint32_t job);
  void hand_over(Env& env, std::uint32_t job);
  [[nodiscard]] std::vector<TaskId> open_tasks(const Jobs& jobs) const;
  void end(Env& env);
  void tell(Env& env, PeerId peer);
  void rest(Env& env);
  void adopt(Env& env);

  const Options& options_;
  const World& world_;
  const overlay::HashRing& ring_;
  overlay::FailureDetector& detector_;
  std::vector<Entry> jobs_;             // by number
  std::map<PeerId, std::size_t> open_;  // jobs at each master
  std::size_t jobs_left_ = 0;
  std::map<PeerId, Jobs> adopting_;        // not acknowledged by their new masters
  std::map<PeerId, std::uint32_t> lives_;  // the latest of which a peer has told
  std::map<PeerId, Jobs> lost_;            // what those taken for dead had
  bool over_ = false;
  bool closed_ = false;
  bool repeats_ = false;
  std::set<PeerId> untold_;  // of the end
  core::TimerId repeating_{};
  core::TimerId ending_{};
};

}  // namespace rhizome::agents::sparrow
