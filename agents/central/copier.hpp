// Keeps a copy of the head's books elsewhere: at a standby, which gets every change at once, or in
// the store of the door, which gets all changes of a period together (a snapshot).
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "agents/central/books.hpp"
#include "agents/central/messages.hpp"

namespace rhizome::agents::central {

class Copier {
 public:
  explicit Copier(Epoch epoch) : epoch_(epoch) {}

  // From now on that peer keeps the copy, and gets a complete one first. With core::no_peer no peer
  // keeps a copy.
  void copy_to(Env& env, PeerId keeper, const std::vector<Relay>& whole);
  // Continues the copy at that peer, which has a complete one already.
  void go_on_at(PeerId keeper) { keeper_ = keeper; }
  [[nodiscard]] PeerId keeper() const { return keeper_; }

  void taken(std::uint32_t hand, const std::vector<Task>& tasks);
  void done(TaskId task) { change_.done.push_back(task); }
  void measured(std::vector<Measure> measured) { change_.measured = std::move(measured); }
  // Sends the changes.
  void flush(Env& env);
  // Sends all unacknowledged parts again.
  void repeat(Env& env) const;
  // The keeper has all parts up to that number, if the message is about this copy.
  void acknowledged(PeerId from, const Relayed& message);
  // The keeper has acknowledged all parts.
  [[nodiscard]] bool settled() const { return open_.empty(); }
  // Hands that the keeper has now. Each is reported once.
  [[nodiscard]] std::vector<std::uint32_t> safe_hands();
  [[nodiscard]] bool safe(std::uint32_t hand) const { return !unsafe_.contains(hand); }
  // The number of the copy in this epoch: a keeper may get several in turn.
  [[nodiscard]] std::uint32_t copy() const { return copy_; }

 private:
  void send(Env& env, Relay part);
  Epoch epoch_;
  PeerId keeper_ = core::no_peer;
  std::uint32_t copy_ = 0;
  std::uint32_t number_ = 0;        // of the last part
  std::deque<Relay> open_;          // sent, and not acknowledged
  Relay change_{};                  // since the last part
  std::set<std::uint32_t> unsafe_;  // hands of open_ and change_
  bool news_ = false;               // whether safe_hands() has new ones
};

// The receiver of the parts of a Copier: takes them in order.
class CopyKeeper {
 public:
  // Answers, and applies the part if it is the next one of this epoch.
  void on(Env& env, PeerId from, const Relay& part);
  // Whether the part has come before.
  [[nodiscard]] bool has(const Relay& part) const {
    const auto kept = std::pair(epoch_, number_of_copy_);
    const auto told = std::pair(part.epoch, part.copy);
    return told < kept || (told == kept && part.number <= number_);
  }
  [[nodiscard]] const Copy& copy() const { return copy_; }
  [[nodiscard]] Copy& copy() { return copy_; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }

 private:
  Copy copy_;
  Epoch epoch_ = 0;
  std::uint32_t number_of_copy_ = 0;
  std::uint32_t number_ = 0;  // of the last part
};

}  // namespace rhizome::agents::central
