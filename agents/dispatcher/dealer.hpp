// If there are several dispatchers, the source deals jobs to them in turn, and takes results. A
// dead dispatcher gets no more jobs, and its jobs go to others.
#pragma once

#include <map>
#include <vector>

#include "agents/dispatcher/assigned_tasks.hpp"
#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents::dispatching {

class Dealer {
 public:
  Dealer(PeerId self, const Options& options, const World& world);

  void start(Env& env) { assigned_tasks_.start(env); }
  void submit(Env& env, const std::vector<Task>& tasks);
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const Missing& message);
  void on(Env& env, const AskDue& due);
  void stop(Env& env) { assigned_tasks_.stop(env); }

 private:
  // The dispatcher of a job's tasks: the same for all of them as long as it lives.
  [[nodiscard]] std::size_t dispatcher_of(std::uint32_t job) const;

  Fleet fleet_;  // of dispatchers
  std::size_t own_;
  AssignedTasks assigned_tasks_;
};

}  // namespace rhizome::agents::dispatching
