// Whether what a message says can be true in this world: every address, task, index and size in it,
// before anybody uses one. What cannot be true is not handled.
#pragma once

#include <algorithm>

#include "agents/air_traffic/messages.hpp"
#include "agents/possible.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::traffic {

class Plausible {
 public:
  explicit Plausible(const World& world) : world_(world) {}

  [[nodiscard]] bool operator()(PeerId peer) const { return peer.value < world_.peers(); }
  [[nodiscard]] bool operator()(TaskId task) const { return world_.profile.has(task); }
  [[nodiscard]] bool operator()(const Task& task) const {
    return world_.profile.has(task) && possible(task);
  }
  [[nodiscard]] bool operator()(const Member& member) const {
    return (*this)(member.id) && member.slots == world_.capacities[member.id.value].slots;
  }
  [[nodiscard]] bool operator()(const Result& result) const {
    return (*this)(result.task) && (*this)(result.executor) &&
           result.task.given.bytes <= world_.profile.heaviest;
  }
  template <class T>
  [[nodiscard]] bool operator()(const std::vector<T>& items) const {
    return std::all_of(items.begin(), items.end(), *this);
  }

  [[nodiscard]] bool operator()(const Portion& message) const {
    return !message.tasks.empty() && (*this)(message.tasks) &&
           message.total <= world_.profile.largest_job && message.index < message.total &&
           message.tasks.size() <= message.total - message.index;
  }
  [[nodiscard]] bool operator()(const Given& message) const {
    return message.total > 0 && message.total <= world_.profile.largest_job;
  }
  [[nodiscard]] bool operator()(const Assign& message) const { return (*this)(message.tasks); }
  [[nodiscard]] bool operator()(const Done& message) const { return (*this)(message.results); }
  [[nodiscard]] bool operator()(const Roster& message) const {
    return (*this)(message.members) && (*this)(message.edges) &&
           message.silence >= core::Duration::zero();
  }
  [[nodiscard]] bool operator()(const Steady& message) const {
    return message.silence >= core::Duration::zero();
  }
  [[nodiscard]] bool operator()(const Refer& message) const { return (*this)(message.leader); }
  [[nodiscard]] bool operator()(const Follow& message) const { return (*this)(message.leader); }
  [[nodiscard]] bool operator()(const Lead& message) const { return (*this)(message.members); }
  [[nodiscard]] bool operator()(const MergeGrant& message) const {
    return (*this)(message.members) && (*this)(message.edges);
  }
  [[nodiscard]] bool operator()(const Unlinked& message) const {
    return message.instead == core::nobody || (*this)(message.instead);
  }
  [[nodiscard]] bool operator()(const Neighbour& message) const { return (*this)(message.leader); }

  // The slots that a peer says it has.
  [[nodiscard]] bool slots(PeerId peer, std::uint32_t slots) const {
    return (*this)(Member{peer, slots});
  }

 private:
  const World& world_;
};

// Those that name nothing but a ticket, an epoch or the sender's own slots need no table.
template <class M>
[[nodiscard]] bool plausible(const World& world, PeerId from, const M& message) {
  const Plausible check(world);
  if (!check(from)) return false;
  if constexpr (core::one_of<M, core::OneOf<Join, WorkerAlive, MergeGrant>>)
    if (!check.slots(from, message.slots)) return false;
  if constexpr (core::one_of<M, core::OneOf<Portion, Given, Assign, Done, Roster, Refer, Follow,
                                            Lead, MergeGrant, Unlinked, Neighbour, Steady>>)
    return check(message);
  return true;
}

}  // namespace rhizome::agents::traffic
