// The reports of a server: the answer to a question; to each dispatcher, once, that the server is
// below its threshold; or, with the policy jiq, to one dispatcher that it is idle.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents {
class Server;
}

namespace rhizome::agents::dispatching {

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
    bool free = true;  // state in the dispatcher's books once messages have arrived
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

}  // namespace rhizome::agents::dispatching
