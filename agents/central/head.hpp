// The head: the coordinator of several models, or the master of one. It has the books, assigns
// batches to workers, detects their failure, and keeps a copy of its books for its successor.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "agents/central/books.hpp"
#include "agents/central/copier.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"

namespace rhizome::agents::central {

class Head {
 public:
  using Messages = core::OneOf<Hand, Got, Done, Counted, Relayed, Pong, Join, Retire, Registered>;

  Head(const Rules& rules, const World& world, Epoch epoch);

  // Begins with the books of a copy. `present`: all peers that are there at the start are its
  // workers, and others join later.
  void begin(Env& env, const Copy& copy, bool present);
  [[nodiscard]] Epoch epoch() const { return epoch_; }
  [[nodiscard]] std::size_t waiting() const;

  void on(Env& env, PeerId from, const Hand& message);
  void on(Env& env, PeerId from, const Got& message);
  void on(Env& env, PeerId from, const Done& message);
  void on(Env& env, PeerId from, const Counted& message);
  void on(Env& env, PeerId from, const Relayed& message);
  void on(Env& env, PeerId from, const Pong& message);
  void on(Env& env, PeerId from, const Join& message);
  void on(Env& env, PeerId from, const Retire& message);
  void on(Env& env, PeerId from, const Registered& message);
  // Sends signs of life and repeats unacknowledged messages.
  void tick(Env& env, Duration silence_of_door);
  void snapshot(Env& env) { copier_.flush(env); }

 private:
  struct Place {
    std::uint32_t lanes = 1;  // batches at a time
    std::set<std::uint64_t> held{};
    std::uint32_t offered = 0;  // its entries in the queue of idle workers
    Time heard{};
    bool suspected = false;
    bool retires = false;
    std::uint64_t joined = 0;  // the number of its latest Join
  };
  struct Reported {
    Report report;
    std::vector<Task> tasks;
  };

  // Workers (head_workers.cpp).
  Place& admit(Env& env, PeerId worker);
  void heard(Env& env, PeerId from);
  void watch(Env& env);
  void remove(Env& env, PeerId worker);
  void let_go(Env& env, PeerId worker);
  void offer(PeerId worker, Place& place);
  void work_alone(Env& env);
  [[nodiscard]] bool works(PeerId peer) const;
  [[nodiscard]] std::size_t others() const;
  [[nodiscard]] std::uint32_t workers() const;
  // The mean speed of the workers; 1 if there are none.
  [[nodiscard]] double mean_speed() const;
  void appoint(Env& env);
  void ping(Env& env, Duration silence_of_door);

  // Batches.
  void serve(Env& env);
  void settle(Env& env);
  void register_copy(Env& env) const;
  void share(Env& env);
  void preempt(Env& env);
  [[nodiscard]] PeerId next_idle();
  [[nodiscard]] ModelQueue* next_queue();
  void send(Env& env, PeerId worker, ModelQueue& queue);
  void assign(Env& env, const Batch& batch, Cause cause);
  void take_back(Env& env, Batch batch, std::string_view reason);
  void report(Env& env, const Done& message, const Batch& batch, PeerId executor);
  void take(const Task& task);
  [[nodiscard]] std::uint32_t model_of(const Task& task) const {
    return task.id.job % static_cast<std::uint32_t>(queues_.size());
  }
  [[nodiscard]] std::vector<Task> undone() const;
  [[nodiscard]] std::vector<Measure> measured() const;
  void repeat(Env& env);

  const Rules& rules_;
  const World& world_;
  Epoch epoch_;
  PeerId self_ = core::no_peer;
  std::vector<ModelQueue> queues_;  // by model
  std::map<std::uint64_t, Batch> running_;
  std::vector<std::uint32_t> at_workers_;  // batches of each model, without preempted ones
  std::vector<std::uint32_t> targets_;     // workers for each model, while it has work
  std::uint64_t batches_ = 0;
  std::set<std::uint32_t> hands_;
  std::map<std::uint32_t, Reported> reported_;  // not yet counted
  std::uint32_t reports_ = 0;
  std::map<PeerId, Place> places_;
  std::deque<PeerId> idle_;
  Copier copier_;
  bool registered_ = false;  // the door knows the keeper of the copy
  Time pinged_{};
};

}  // namespace rhizome::agents::central
