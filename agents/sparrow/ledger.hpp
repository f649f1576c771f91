// The source of work: it knows which task is at which master and which are done, gives the tasks of
// a dead master to its successor on the ring, and ends the run.
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

namespace rhizome::agents {
class Sparrow;
}

namespace rhizome::agents::sparrow {

using Env = core::Env<Sparrow>;

struct AdoptDue {};
struct OverDue {};

// The master of a job: the successor of its number.
[[nodiscard]] inline PeerId master_of(const overlay::HashRing& ring, std::uint32_t job) {
  return ring.owner(job);
}

class Ledger {
 public:
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
  // Everybody else has been told of the end, or is dead: the source may rest.
  [[nodiscard]] bool closed() const { return over_ && untold_.empty(); }

 private:
  [[nodiscard]] bool over() const { return done_.size() == total_; }
  void end(Env& env);
  void rest(Env& env);
  void adopt(Env& env);

  const Options& options_;
  const World& world_;
  const overlay::HashRing& ring_;
  overlay::FailureDetector& detector_;
  std::map<PeerId, std::set<TaskId>> open_;      // tasks at each master
  std::map<PeerId, std::set<TaskId>> adopting_;  // not acknowledged by their new masters
  std::map<PeerId, std::uint32_t> lives_;        // the latest of which a peer has told
  std::map<PeerId, std::set<TaskId>> lost_;      // what those taken for dead had
  std::set<TaskId> done_;
  std::vector<std::size_t> left_;  // tasks of each job
  std::size_t total_;
  bool over_ = false;
  bool repeats_ = false;
  std::set<PeerId> untold_;  // of the end
  core::TimerId repeating_{};
  core::TimerId ending_{};
};

}  // namespace rhizome::agents::sparrow
