// The service that runs a peer's locator: messages, a timer that repeats, and facts. A service that
// moves tasks tells the locator by signals what to do with them, hears the results by signals, and
// may read the locator at any time.
#pragma once

#include <string_view>
#include <vector>

#include "agents/facts.hpp"
#include "agents/locator/locator.hpp"
#include "agents/locator/messages.hpp"
#include "agents/scheduler.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"
#include "core/peer/peer.hpp"

namespace rhizome::agents::locator {

// Signals to the locator.

// A task is placed here, moves, is called back, starts, or is done here.
struct Enter {
  Mobile mobile;
};
struct Migrate {
  TaskId task;
  PeerId to;
};
struct CallOff {
  TaskId task;
};
struct Begin {
  TaskId task;
};
struct Complete {
  TaskId task;
};
// This peer also gives its successors the data of a completed task.
struct GiveData {
  TaskId from;
  std::vector<Neighbour> successors;
};
// A task is done somewhere, or is needless here; or all tasks are done, so that the locator stops.
struct Conclude {
  TaskId task;
};
struct Drop {
  TaskId task;
};
struct Close {};
// A peer does not answer: whatever went there may be lost.
struct Missed {
  PeerId peer;
};

// Signals from it.

// Tasks are here that were not.
struct Arrived {
  std::vector<TaskId> tasks;
};
// These tasks are here, and need no other task any more.
struct Ready {
  std::vector<TaskId> tasks;
};
// A task has been completed here. Tasks that are here and needed only its data are ready now.
struct Completed {
  TaskId task;
};
// Whether the locator waits for no answer, as at first.
struct Quiet {
  bool quiet = true;
};

struct RepeatDue {};

class Service {
 public:
  using Messages = locator::Messages;
  using Timers = core::OneOf<RepeatDue>;
  using Env = core::Env<Messages, Timers, core::Joined<locator::Facts, core::OneOf<TaskHanded>>>;
  using Hears = core::OneOf<Enter, Migrate, CallOff, Begin, Complete, GiveData, Conclude, Drop,
                            Close, Missed>;
  static constexpr std::string_view name = "locator";

  // Options and world outlive it.
  Service(PeerId self, const Options& options, const World& world);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(PeerId from, const M& message) const;

  void start(Env& env);
  template <core::one_of<Hears> S>
  void on(Env& env, const S& signal);
  template <core::one_of<Messages> M>
  void on(Env& env, PeerId from, const M& message);
  void on(Env& env, const RepeatDue& due);

  [[nodiscard]] const Locator& locator() const { return locator_; }
  template <class StateDump>
  void dump_state(StateDump& dump) const {
    locator_.dump_state(dump);
  }

 private:
  void perform(Env& env, LocatorEffects out);
  static void note(Env& env, const locator::Facts& fact);
  void watch(Env& env);

  const Options& options_;
  const World& world_;
  Locator locator_;
  bool quiet_ = true;
  core::TimerId armed_{};
};

// Adds one to a peer, for the services that follow. The reference lives as long as the peer.
[[nodiscard]] const Locator& add_locator(core::Peer& peer, const Options& options,
                                         const World& world);

// The tasks of a job as a locator moves them, each with those that it has to do with.
// All at one peer, in the order given. Portions are 0, 1, 2 and so on, and dependencies name these.
[[nodiscard]] std::vector<Mobile> mobiles_of(const std::vector<Task>& tasks,
                                             const std::vector<Dependency>& dependencies,
                                             PeerId at);

}  // namespace rhizome::agents::locator
