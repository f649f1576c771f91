// The part of a peer that serves: its server, its unconfirmed results, and its reports of state.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/holding.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/server.hpp"

namespace rhizome::agents::dispatching {

// The reports of a server: the answer to a question; to each dispatcher, once, that the server is
// below its threshold; or, with the policy jiq, to one dispatcher that it is idle.
class StateReporter {
 public:
  StateReporter(const Options& options, std::vector<PeerId> dispatchers, const Server& server);

  void answer(Env& env, PeerId from, const Query& query) const;
  void on(Env& env, PeerId from, const Threshold& threshold);
  // A task has come from a dispatcher.
  void taken(Env& env, PeerId from);
  [[nodiscard]] std::uint64_t arrivals() const { return arrivals_; }
  // A task has been done here, or the time set by look_later() has come.
  void look(Env& env);
  void stop(Env& env);

 private:
  struct Line {
    std::int64_t limit = 0;
    bool free = true;  // as that dispatcher will hold it once messages under way have arrived
  };

  [[nodiscard]] std::int64_t measure(core::Time now) const;
  void say_free(Env& env, std::size_t dispatcher);
  void say_idle(Env& env);
  // Unfinished work falls by itself, so a threshold that is not reached yet is checked again when
  // it will be.
  void look_later(Env& env, std::int64_t most);

  const Options& options_;
  const Fleet dispatchers_;
  const Server& server_;
  std::vector<Line> lines_;  // by dispatcher
  std::uint64_t arrivals_ = 0;
  core::TimerId due_{};
};

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
