// The carrier brings tasks to a neighbour. Where recovery is wanted, it repeats a transfer until
// the neighbour has taken it, or takes the tasks back, and the receiver recognises a transfer that
// comes again. Costs one message for each transfer. Our design.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "agents/backoff.hpp"
#include "agents/files/messages.hpp"
#include "agents/vector/messages.hpp"
#include "agents/vector/options.hpp"

namespace rhizome::agents::vectors {

class Carrier {
 public:
  // Even where a third of all packets is lost, one of six tries arrives in all but two of a hundred
  // cases.
  static constexpr std::uint32_t most_tries = 6;

  Carrier(bool recovers, core::Duration patience)
      : recovers_(recovers), backoff_(patience, most_doublings) {}

  // Returns the number of the transfer.
  std::uint64_t send(Env& env, PeerId to, std::vector<Task> tasks);
  // Whether the tasks are new; acknowledges the transfer to the sender.
  [[nodiscard]] bool receive(Env& env, PeerId from, const Transfer& transfer);
  void on(Env& env, PeerId from, const Taken& taken);
  // The wait for an answer begins when a transfer that was kept back for its files has gone.
  void gone(Env& env, const files::CargoGone& cargo);
  // A transfer that has not been taken for too long.
  struct Undelivered {
    PeerId to;
    std::vector<Task> tasks;
  };
  [[nodiscard]] std::optional<Undelivered> on(Env& env, const RepeatDue& due);
  void stop(Env& env);

  // Calls f with each task that is on its way.
  template <class F>
  void for_each(F f) const {
    for (const auto& [number, parcel] : parcels_)
      for (const Task& task : parcel.tasks) f(task);
  }

 private:
  // More doublings would leave tasks with a neighbour that is gone for long.
  static constexpr std::uint32_t most_doublings = 2;

  struct Parcel {
    PeerId to;
    std::vector<Task> tasks;
    std::uint32_t tries = 1;
    core::Time gone{};  // when it first went
    core::TimerId repeat{};
  };
  // The transfers that have come from a neighbour in its latest life.
  struct Inbox {
    std::uint32_t life = 0;
    std::uint64_t oldest = 0;
    std::set<std::uint64_t> numbers{};
  };
  void arm(Env& env, std::uint64_t number, Parcel& parcel) const;
  [[nodiscard]] Transfer transfer(Env& env, std::uint64_t number,
                                  const std::vector<Task>& tasks) const;

  bool recovers_;
  Backoff backoff_;
  std::map<std::uint64_t, Parcel> parcels_;
  std::uint64_t last_ = 0;
  std::map<PeerId, Inbox> inboxes_;
};

}  // namespace rhizome::agents::vectors
