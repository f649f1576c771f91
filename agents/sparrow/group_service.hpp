// The worker side of a worker group. A worker that was called up serves its leader and no other
// master, until the leader releases it, or has died, or had no task for it for long (the message of
// release may be lost). Tasks that stood in its queue before are served first.
#pragma once

#include <cstdint>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/options.hpp"
#include "agents/sparrow/worker.hpp"
#include "core/peer/env.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

class GroupService {
 public:
  using Messages = core::OneOf<CallUp, Dismiss>;
  using Timers = core::OneOf<PostDue>;
  using Signals = core::OneOf<overlay::Liveness>;

  // `own`: the capacity of this peer, which never refuses its own tasks.
  GroupService(PeerId self, const Options& options, const Capacity& own, const Worker& worker)
      : self_(self), options_(options), own_(own), worker_(worker) {}

  // Whether this peer is called up by another leader than that master.
  [[nodiscard]] bool refuses(PeerId master) const {
    return leader_ != core::no_peer && leader_ != master && self_ != master;
  }
  void on(Env& env, PeerId from, const CallUp& message);
  void on(Env& env, PeerId from, const Dismiss& message);
  void on(Env& env, const PostDue& due);
  void on(Env& env, const overlay::Liveness& news);
  void stop(Env& env) { leave(env); }

 private:
  void leave(Env& env);

  const PeerId self_;
  const Options& options_;
  const Capacity own_;
  const Worker& worker_;
  PeerId leader_ = core::no_peer;
  std::uint32_t job_ = 0;
  bool served_ = false;  // whether it served since the timer was set
  core::TimerId due_{};
};

}  // namespace rhizome::agents::sparrow
