// Dispatchers and servers (Bravi, Facchiano, Vestini: Data Center, Challenge 2; and the policies of
// the field): one peer or a few choose a server for each task, by the state that servers report in
// messages. The recovery of lost tasks is our design.
#pragma once

#include <optional>
#include <vector>

#include "agents/dispatcher/assigned_tasks.hpp"
#include "agents/dispatcher/dispatch_queue.hpp"
#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/dispatcher/source_lease.hpp"
#include "agents/dispatcher/station.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::dispatching {

// If there are several dispatchers, the source deals jobs to them in turn, and takes results. A
// dead dispatcher gets no more jobs, and its jobs go to others.
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

namespace rhizome::agents {

// One peer: the source, a dispatcher, a server, or several of these.
class Dispatcher {
 public:
  using Messages = dispatching::Messages;
  using Timers = dispatching::Timers;
  using Env = dispatching::Env;
  using Hears = core::OneOf<Submitted, Drained>;
  static constexpr std::string_view name = "dispatcher";

  Dispatcher(core::PeerId self, const dispatching::Options& options, const World& world);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const;

  void start(Env& env);
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  template <core::one_of<Messages> M>
  void on(Env& env, core::PeerId from, const M& message);
  template <core::one_of<Timers> T>
  void on(Env& env, const T& due);
  void on(Env& env, const core::WorkDone& done);

 private:
  template <class M>
  void hand(Env& env, core::PeerId from, const M& message);
  void hand(Env& env, core::PeerId from, const dispatching::Hello& message);
  // Ends all activity here, after the end of the run or after giving it up.
  void stop(Env& env);
  void fail(Env& env);

  const core::PeerId self_;
  const dispatching::Options& options_;
  const World& world_;
  std::optional<dispatching::Dealer> dealer_;
  std::optional<dispatching::DispatchQueue> queue_of_tasks_;
  std::optional<dispatching::Station> station_;
  dispatching::SourceLease source_lease_;
  bool stopped_ = false;
};

}  // namespace rhizome::agents
