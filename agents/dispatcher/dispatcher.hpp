// Dispatchers and servers (Bravi, Facchiano, Vestini: Data Center, Challenge 2; and the policies of
// the field): one peer or a few choose a server for each task, by the state that servers report in
// messages. The recovery of lost tasks is our design.
#pragma once

#include <optional>

#include "agents/dispatcher/dealer.hpp"
#include "agents/dispatcher/dispatch_queue.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "agents/dispatcher/source_lease.hpp"
#include "agents/dispatcher/station.hpp"
#include "agents/scheduler.hpp"

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

[[nodiscard]] Scheduler dispatcher();

}  // namespace rhizome::agents
