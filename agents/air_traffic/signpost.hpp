// Answers messages to a worker whose sender takes it for a leader: names the leader, or passes them
// on.
#pragma once

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/air_traffic/worker.hpp"

namespace rhizome::agents::traffic {

class Signpost {
 public:
  using Messages = core::OneOf<WorkerAlive, Linked, MergeAsk, Portion, Done>;

  Signpost(const Options& options, PeerId queue, const Worker& worker)
      : options_(options), queue_(queue), worker_(worker) {}

  void on(Env& env, PeerId from, const WorkerAlive& message);
  void on(Env& env, PeerId from, const Linked& message);
  void on(Env& env, PeerId from, const MergeAsk& message);
  void on(Env& env, PeerId from, const Portion& message);
  void on(Env& env, PeerId from, const Done& message);

 private:
  const Options& options_;
  PeerId queue_;
  const Worker& worker_;
};

}  // namespace rhizome::agents::traffic
