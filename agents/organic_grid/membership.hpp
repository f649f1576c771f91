// A worker's side of a group: whom it works for, and what it was handed.
#pragma once

#include <deque>
#include <set>
#include <string_view>

#include "agents/executor.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::grid {

using core::Time;

class Membership {
 public:
  Membership(const Options& options, Executor& executor) : options_(options), executor_(executor) {}

  [[nodiscard]] PeerId leader() const { return leader_; }
  [[nodiscard]] bool working() const { return leader_ != core::nobody; }
  // Tasks that it was handed and has not begun.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

  void join(Env& env, PeerId leader);
  // Drops what it was handed: the leader, or whoever lent to the leader, hands it out again.
  void leave(Env& env, std::string_view reason);
  // An assignment by somebody else than the leader is ignored: it is of a stay that has ended.
  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const LeaderAlive& message);
  // A task that the executor has finished.
  void executed(Env& env, const Task& task);
  // Once every heartbeat: a sign of life where nothing else was for a while. False when the leader
  // has been silent for too long.
  [[nodiscard]] bool tick(Env& env);

 private:
  void run(Env& env);

  const Options& options_;
  Executor& executor_;
  PeerId leader_ = core::nobody;
  std::deque<Task> waiting_;
  std::set<TaskId> running_;
  std::set<TaskId> done_;  // for this leader
  Time last_heard_{};
  Time last_sent_{};
};

}  // namespace rhizome::agents::grid
