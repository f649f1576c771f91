// The door: stands where work enters, counts results once, names the head to whoever asks, decides
// who succeeds it, and has the store of snapshots. It is always there, as the source assumes of its
// introducer.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "agents/central/copier.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"
#include "agents/central/vault.hpp"
#include "agents/client.hpp"
#include "agents/task_roll.hpp"

namespace rhizome::agents::central {

class Door {
 public:
  using Messages = core::OneOf<Taken, Report, Relay, Relayed, Ping, Who, Register, Claim>;
  using Signals = core::OneOf<Submitted>;

  Door(const Rules& rules, const World& world);

  void on(Env& env, const Submitted& job);
  void on(Env& env, PeerId from, const Taken& message);
  void on(Env& env, PeerId from, const Report& message);
  void on(Env& env, PeerId from, const Relay& message);
  void on(Env& env, PeerId from, const Relayed& message);
  void on(Env& env, PeerId from, const Ping& message);
  void on(Env& env, PeerId from, const Who& message);
  void on(Env& env, PeerId from, const Register& message);
  void on(Env& env, PeerId from, const Claim& message);
  void on(Env& env, const core::WorkDone& done);
  void tick(Env& env);
  void stop(Env& env);

  // It asks a store again that does not answer, which takes ticks.
  [[nodiscard]] bool asks_again() const { return vault_.has_value(); }
  // Why it goes on without a store no longer; empty while it does.
  [[nodiscard]] std::string without_store(Time now) const {
    return vault_ ? vault_->given_up(now) : std::string();
  }
  // Nobody leads any more, and nobody can: neither has been heard for longer than is borne.
  [[nodiscard]] bool abandoned(Time now) const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  // Nothing is lost if the head is: all that it was handed is here still, and anybody may lead.
  [[nodiscard]] bool open_to_all(Time now) const;
  // Whether that is the head of this epoch; who is no longer is told.
  [[nodiscard]] bool leads(Env& env, PeerId from, Epoch epoch) const;
  [[nodiscard]] bool may_succeed(Time now, PeerId peer, Epoch epoch) const;
  void grant(Env& env, PeerId to, std::uint32_t life);
  // Whether the head is not what it was: it has begun a later life.
  void look_at(PeerId peer, std::uint32_t life);
  void answer(Env& env, PeerId peer) const;
  void lend(Env& env, const Copy& copy);
  void hand(Env& env, Duration patience);

  const Rules& rules_;
  const World& world_;
  TaskRoll roll_;
  struct Handed {
    Hand hand;
    std::optional<Time> sent{};  // to this head
    bool received = false;       // by it
  };
  std::map<std::uint32_t, Handed> hands_;  // not kept yet
  std::uint32_t handed_ = 0;
  bool entrusted_ = false;  // a head keeps what is here no more
  PeerId head_;
  std::uint32_t life_ = 0;  // of the head, when it was given the office
  Epoch epoch_ = 1;
  PeerId standby_;
  std::uint32_t copy_ = 0;      // which of this epoch that has
  bool lost_ = false;           // the head has come back without what it knew
  bool in_office_ = true;       // the head has said so
  Time heard_{};                // the head
  CopyKeeper store_;            // what is stored
  std::optional<Vault> vault_;  // where that is not all there is to it
  Copier loan_{0};              // to a new head, of what is in the store
};

}  // namespace rhizome::agents::central
