// Whether a message can be true in this world, beyond the types of its fields: leaders and members
// of groups are peers, members have the slots that the world gives them, and indexes and sizes fit
// a job. A message that cannot be true is not handled.
#pragma once

#include <algorithm>

#include "agents/air_traffic/messages.hpp"
#include "agents/credible.hpp"

namespace rhizome::agents::traffic {

template <class M>
[[nodiscard]] bool plausible(const World& world, PeerId from, const M& message) {
  if (!credible(world, from, message)) return false;
  const auto is_member = [&world](const Member& member) {
    return member.id != core::nobody && member.slots == world.capacities[member.id.value].slots;
  };
  if constexpr (core::one_of<M, core::OneOf<Join, WorkerAlive, MergeGrant>>)
    if (!is_member({from, message.slots})) return false;
  if constexpr (requires { message.members; })
    if (!std::all_of(message.members.begin(), message.members.end(), is_member)) return false;
  if constexpr (requires { message.edges; })
    return std::find(message.edges.begin(), message.edges.end(), core::nobody) ==
           message.edges.end();
  if constexpr (requires { message.leader; }) return message.leader != core::nobody;
  if constexpr (std::is_same_v<M, Done>)
    return std::all_of(message.results.begin(), message.results.end(), [&](const Result& result) {
      return result.executor != core::nobody && result.task.given.bytes <= world.profile.heaviest;
    });
  if constexpr (std::is_same_v<M, Given>)
    return message.total > 0 && message.total <= world.profile.largest_job;
  if constexpr (std::is_same_v<M, Portion>)
    return !message.tasks.empty() && message.total <= world.profile.largest_job &&
           message.index < message.total && message.tasks.size() <= message.total - message.index;
  return true;
}

}  // namespace rhizome::agents::traffic
