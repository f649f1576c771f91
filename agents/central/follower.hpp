// The role of all peers but the door and the head: follows the head, keeps the copy if it is the
// standby, and takes part in the succession once the head is silent.
#pragma once

#include <cstdint>
#include <optional>

#include "agents/central/copier.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"
#include "agents/central/worker.hpp"

namespace rhizome::agents::central {

class Follower {
 public:
  using Messages = core::OneOf<Ping, Leader, Relay, Grant, Elect, Yield, Retired>;

  Follower(const Rules& rules, const World& world, Worker& worker)
      : rules_(rules), world_(world), worker_(worker) {}

  // `present`: the peer is there at the start and in its first life. Otherwise it asks the door.
  void begin(Env& env, bool present);
  // This peer is the head itself from now on.
  void take_office(PeerId self, Epoch epoch);

  void on(Env& env, PeerId from, const Ping& message);
  void on(Env& env, PeerId from, const Leader& message);
  void on(Env& env, PeerId from, const Relay& message);
  void on(Env& env, PeerId from, const Grant& message);
  void on(Env& env, PeerId from, const Elect& message);
  void on(Env& env, PeerId from, const Yield& message);
  void on(Env& env, PeerId from, const Retired& message);
  void tick(Env& env);
  // From now on it asks the head to release it.
  void retire(Env& env);
  // The head has released it.
  [[nodiscard]] bool retired() const { return retired_; }
  // The head has admitted it.
  [[nodiscard]] bool joined() const { return joined_; }

  // Whether the message comes from the head that it follows, which is a sign of life. From a head
  // of a later epoch on, it follows that head.
  [[nodiscard]] bool obeys(Env& env, PeerId from, Epoch epoch);
  [[nodiscard]] PeerId head() const { return head_; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }

  // The office that the door has granted, once the copy of the books is complete.
  struct Office {
    Epoch epoch;
    const Copy& copy;
  };
  [[nodiscard]] std::optional<Office> office() const;

 private:
  void follow(Env& env, PeerId head, Epoch epoch);
  void drop(Env& env);
  void join(Env& env) const;
  void ask(Env& env) const;
  void succeed(Env& env);
  void elect(Env& env);
  void claim(Env& env) const;

  const Rules& rules_;
  const World& world_;
  Worker& worker_;
  PeerId head_ = core::no_peer;
  Epoch epoch_ = 0;
  Time heard_{};             // the head
  bool joined_ = false;      // it has answered
  std::uint64_t drops_ = 0;  // times that it has dropped its work; the number of its wish to join
  CopyKeeper copy_;          // of the head's books, where it stands by
  CopyKeeper stored_;        // from the store, for the office
  Epoch granted_ = 0;
  std::optional<Time> candidate_{};  // since when it waits for one of a higher address to yield to
  bool yields_ = false;              // one has answered
  bool retires_ = false;
  bool retired_ = false;
};

}  // namespace rhizome::agents::central
