// A worker: executes what leaders assign, and succeeds its leader when that dies and it is the
// first in line.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/executor.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {
class AirTraffic;
}

namespace rhizome::agents::traffic {

using Env = core::Env<AirTraffic>;
using core::Time;

class Worker {
 public:
  Worker(const Options& options, Capacity capacity) : options_(options), executor_(capacity) {}

  // Belongs to `leader` from now on, and says so in a fact.
  void follow(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason);
  [[nodiscard]] PeerId leader() const { return leader_; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint32_t slots() const { return executor_.capacity().slots; }
  void stop(Env& env) { executor_.stop_all(env); }

  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Roster& message);
  void on(Env& env, PeerId from, const Follow& message);
  void on(Env& env, const core::WorkDone& done);
  // A sign of life to the leader, or a search for one at the queue.
  void tick(Env& env, PeerId queue);

  // What a successor starts with, once the leader has been silent for long enough: the lowest
  // address first, each next one a heartbeat later.
  struct Inheritance {
    std::uint64_t epoch;
    std::vector<Member> members;
    std::vector<PeerId> edges;
  };
  [[nodiscard]] std::optional<Inheritance> claim(const Env& env) const;

 private:
  struct Held {
    Task task;
    PeerId assigned_by;
  };
  void run(Env& env);
  [[nodiscard]] bool holds(TaskId task) const;
  [[nodiscard]] const Done* finished(TaskId task) const;

  const Options& options_;
  Executor executor_;
  PeerId leader_ = core::nobody;
  std::uint64_t epoch_ = 0;
  Time last_heard_{};
  std::vector<Member> roster_;
  std::vector<PeerId> edges_;
  std::deque<Held> waiting_;
  std::vector<Held> running_;
  std::deque<Done> recent_;  // results that a leader may have to be told again
};

}  // namespace rhizome::agents::traffic
