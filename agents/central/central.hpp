// One peer of a central scheduler in its present role: the door, the head, or a follower, which
// works and may be the standby. Every peer runs the same code.
#pragma once

#include <algorithm>
#include <optional>

#include "agents/central/door.hpp"
#include "agents/central/follower.hpp"
#include "agents/central/head.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"
#include "agents/central/worker.hpp"
#include "agents/client.hpp"
#include "agents/credible.hpp"
#include "agents/provision/signals.hpp"

namespace rhizome::agents::central {

// Messages that only the door sends.
using OfTheDoor = core::OneOf<Hand, Counted, Leader, Registered, Grant, Over>;

// Checks the contents of a message against the world, before any address, task or time in it is
// used.
template <class M>
[[nodiscard]] bool credible(const World& world, PeerId from, const M& message) {
  if (!agents::credible(world, from, message)) return false;
  if ((from == world.source) != core::one_of<M, OfTheDoor> &&
      !core::one_of<M, core::OneOf<Relay, Relayed, Pong>>)
    return false;
  if constexpr (std::is_same_v<M, Assign>) return !message.tasks.empty();
  if constexpr (std::is_same_v<M, Report>)
    return std::none_of(message.results.begin(), message.results.end(),
                        [](const Result& result) { return result.executor == core::no_peer; });
  return true;
}

class Central {
 public:
  using Messages = central::Messages;
  using Env = central::Env;
  using Hears = core::OneOf<Submitted, Drained, provision::Draining>;
  static constexpr std::string_view name = "central";

  // Rules and world outlive it.
  Central(PeerId self, const Rules& rules, const World& world);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(PeerId from, const M& message) const {
    return central::credible(world_, from, message);
  }
  void start(Env& env);
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const provision::Draining& draining);
  void on(Env& env, const TickDue& due);
  void on(Env& env, const SnapshotDue& due);
  void on(Env& env, const OverDue& due);
  void on(Env& env, const DivideDue& due) { worker_.on(env, due); }
  void on(Env& env, const core::WorkDone& done);
  template <core::one_of<Messages> M>
  void on(Env& env, PeerId from, const M& message);

  [[nodiscard]] const Head* head() const { return head_ ? &*head_ : nullptr; }

 private:
  // Messages may be lost, or peers come later.
  [[nodiscard]] bool wary() const { return world_.loses || !world_.late.empty(); }
  [[nodiscard]] Duration silence_of_door(Time now) const { return now - door_heard_; }
  void lead(Env& env, Epoch epoch, const Copy& copy, bool present);
  void step_down(Env& env);
  template <class M>
  void to_living(Env& env, PeerId from, const M& message);
  void arm(Env& env);
  // Reports waiting tasks to the monitor, and idleness to the provisioner.
  void tell_state(Env& env);
  void tell_waiting(Env& env) const;
  void tell_rest(Env& env);
  void fail(Env& env, std::string_view reason);
  void give_up(Env& env, std::string_view reason);
  void come_back(Env& env);
  // At the door: tells all other peers that the run is over.
  void tell_end(Env& env, bool failed);
  void end(Env& env, bool failed);

  const Rules& rules_;
  const World& world_;
  std::optional<Door> door_;
  std::optional<Head> head_;
  Worker worker_;
  Follower follower_;
  Farewell<Over> farewell_;
  core::TimerId tick_{};
  core::TimerId snapshot_{};
  Time door_heard_{};
  bool ended_ = false;
  bool failed_ = false;
  bool rests_ = false;  // as last reported to the provisioner
};

}  // namespace rhizome::agents::central
