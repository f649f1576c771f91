// The door: the peer where work enters. It counts each result once, names the head to peers that
// ask, decides the succession, and has the store of snapshots. It is always there, as the source
// assumes of its introducer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "agents/central/copier.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"
#include "agents/central/vault.hpp"
#include "agents/client.hpp"
#include "agents/task_set.hpp"

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

  // Whether the door repeats operations of its store, for which it needs ticks.
  [[nodiscard]] bool asks_again() const { return vault_.has_value(); }
  // The reason if the store is given up; otherwise empty.
  [[nodiscard]] std::string without_store(Time now) const {
    return vault_ ? vault_->given_up(now) : std::string();
  }
  // Neither the head nor a successor has been heard for longer than Options::headless.
  [[nodiscard]] bool abandoned(Time now) const;
  [[nodiscard]] std::size_t waiting() const;

 private:
  // The door still has every task that it has handed over, so that any peer may lead.
  [[nodiscard]] bool open_to_all(Time now) const;
  // Whether the sender is the head of this epoch; a former head gets the name of the present one.
  [[nodiscard]] bool leads(Env& env, PeerId from, Epoch epoch) const;
  [[nodiscard]] bool may_succeed(Time now, PeerId peer, Epoch epoch) const;
  void grant(Env& env, PeerId to, std::uint32_t life);
  // Notes that the head has begun a later life, and so lost its books.
  void look_at(PeerId peer, std::uint32_t life);
  void answer(Env& env, PeerId peer) const;
  void lend(Env& env, const Copy& copy);
  void hand(Env& env, Duration patience);

  const Rules& rules_;
  const World& world_;
  TaskSet known_tasks_;
  struct Handed {
    Hand hand;
    std::optional<Time> sent{};  // to this head
    bool received = false;       // by it
  };
  std::map<std::uint32_t, Handed> hands_;  // not kept yet
  std::uint32_t handed_ = 0;
  bool entrusted_ = false;  // the door has deleted tasks that a copy of the books has
  PeerId head_;
  std::uint32_t life_ = 0;  // of the head when it was granted the office
  Epoch epoch_ = 1;
  PeerId standby_;
  std::uint32_t copy_ = 0;      // the number of the standby's copy in this epoch
  bool lost_ = false;           // the head has restarted and lost its books
  bool in_office_ = true;       // the head has sent its first sign of life
  Time heard_{};                // the head
  CopyKeeper store_;            // the stored books
  std::optional<Vault> vault_;  // the store behind it, if that is not the door's memory
  Copier loan_{0};              // sends the stored books to a new head
};

}  // namespace rhizome::agents::central
