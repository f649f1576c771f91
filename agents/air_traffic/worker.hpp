// A worker: executes what its leader assigns, and succeeds it when that dies and it is the first in
// line.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "agents/air_traffic/messages.hpp"
#include "agents/air_traffic/options.hpp"
#include "agents/server.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::traffic {

using core::Time;

class Worker {
 public:
  // What a worker understands.
  using Messages = core::OneOf<Assign, Roster, Follow>;
  // What reaches a worker that the sender takes for a leader; it says who leads.
  using Misdirected = core::OneOf<WorkerAlive, Linked, MergeAsk, Portion, Done>;

  Worker(const Options& options, PeerId queue, Capacity capacity)
      : options_(options), queue_(queue), server_(capacity) {}

  // Belongs to `leader` from now on, and says so in a fact.
  void follow(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason);
  // The same, and tells that leader, which has it as a worker from then on.
  void report_to(Env& env, PeerId leader, std::uint64_t epoch, std::string_view reason);
  [[nodiscard]] PeerId leader() const { return leader_; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint32_t slots() const { return server_.capacity().slots; }
  // Drops all that it holds.
  void stop(Env& env);

  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Roster& message);
  void on(Env& env, PeerId from, const Follow& message);
  void on(Env& env, const core::WorkDone& done);
  void on(Env& env, PeerId from, const WorkerAlive& message);
  void on(Env& env, PeerId from, const Linked& message);
  void on(Env& env, PeerId from, const MergeAsk& message);
  void on(Env& env, PeerId from, const Portion& message);
  void on(Env& env, PeerId from, const Done& message);

  // A sign of life to the leader, or a search for one at the queue.
  void tick(Env& env);
  void report(Env& env) const;

  // What a successor starts with, once the leader has been silent for long enough: the lowest
  // address first, each next one a heartbeat later.
  struct Inheritance {
    std::uint64_t epoch;
    std::vector<Member> members;
    std::vector<PeerId> edges;
  };
  [[nodiscard]] std::optional<Inheritance> claim(const Env& env) const;

 private:
  [[nodiscard]] bool finished(TaskId task) const;

  const Options& options_;
  PeerId queue_;
  Server server_;
  std::map<TaskId, PeerId> assigned_by_;
  PeerId leader_ = core::nobody;
  bool has_led_ = false;  // in this life
  Time stood_down_{};     // when it last ceased to lead
  std::uint64_t epoch_ = 0;
  Time last_heard_{};
  std::vector<Member> roster_;
  std::vector<PeerId> edges_;
  std::deque<TaskId> recent_;  // results that a leader may have to be told again
};

}  // namespace rhizome::agents::traffic
