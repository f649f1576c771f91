// The part of a peer that dispatches: tasks that have come, in order, and for each a server by the
// policy.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "agents/dispatcher/assigned_tasks.hpp"
#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/holding.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/dispatcher/policy.hpp"

namespace rhizome::agents::dispatching {

class DispatchQueue {
 public:
  // The dispatch queue of this peer.
  DispatchQueue(PeerId self, const Options& options, const World& world);

  void start(Env& env);
  // Tasks that were handed in here.
  void submit(Env& env, const std::vector<Task>& tasks);
  // A task from the source, where there are several dispatchers.
  void on(Env& env, PeerId from, const Assign& message);
  void on(Env& env, PeerId from, const Noted& message) { dealt_.on(env, from, message); }
  void on(Env& env, PeerId from, const Ask& message) { dealt_.on(env, from, message); }
  void on(Env& env, const ResultDue& due) { dealt_.on(env, due); }
  // What servers say.
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const Missing& message);
  void on(Env& env, PeerId from, const Standing& message);
  void on(Env& env, PeerId from, const Free& message);
  void on(Env& env, PeerId from, const Hello& message);
  template <core::one_of<core::OneOf<RoundDue, RenewDue>> T>
  void on(Env& env, const T& due) {
    selector_->on(env, due);
    work(env);
  }
  void on(Env& env, const AskDue& due);
  void stop(Env& env);

 private:
  template <class M>
  void hear(Env& env, PeerId from, const M& message);
  void again(Env& env, const std::vector<Task>& tasks);
  void work(Env& env);

  const bool alone_;  // the only dispatcher
  Fleet fleet_;       // of servers
  AssignedTasks assigned_tasks_;
  Holding dealt_;
  std::unique_ptr<Selector> selector_;
  std::deque<Task> queue_;
};

}  // namespace rhizome::agents::dispatching
