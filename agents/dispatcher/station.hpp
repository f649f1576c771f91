// The part of a peer that serves: its server, its unconfirmed results, and its reports of state.
#pragma once

#include <vector>

#include "agents/dispatcher/holding.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/dispatcher/state_reporter.hpp"
#include "agents/server.hpp"

namespace rhizome::agents::dispatching {

class Station {
 public:
  Station(PeerId self, const Options& options, const World& world);

  // A later life says that it has begun, with nothing.
  void start(Env& env);
  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Noted& message) { holding_.on(env, from, message); }
  void on(Env& env, PeerId from, const Ask& message) { holding_.on(env, from, message); }
  void on(Env& env, PeerId from, const Query& message) {
    state_reporter_.answer(env, from, message);
  }
  void on(Env& env, PeerId from, const Threshold& message) {
    state_reporter_.on(env, from, message);
  }
  void on(Env& env, const core::WorkDone& done);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const BelowDue&) { state_reporter_.look(env); }
  void on(Env& env, const ResultDue& due) { holding_.on(env, due); }
  void stop(Env& env);

 private:
  const std::vector<PeerId> dispatchers_;
  Server server_;
  Holding holding_;
  StateReporter state_reporter_;
};

}  // namespace rhizome::agents::dispatching
