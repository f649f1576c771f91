// Checks the contents of a message against the world, before any address, task or time in it is
// used.
#pragma once

#include <algorithm>

#include "agents/central/messages.hpp"
#include "agents/possible.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::central {

// Messages that only the door sends.
using OfTheDoor = core::OneOf<Hand, Counted, Leader, Registered, Grant, Over>;

template <class M>
[[nodiscard]] bool credible(const World& world, PeerId from, const M& message) {
  if (from.value >= world.peers() || !possible(message, world.peers())) return false;
  if ((from == world.source) != core::one_of<M, OfTheDoor> &&
      !core::one_of<M, core::OneOf<Relay, Relayed, Pong>>)
    return false;
  const auto known = [&world](const auto& tasks) {
    return std::all_of(tasks.begin(), tasks.end(),
                       [&](const auto& task) { return world.profile.has(task); });
  };
  if constexpr (std::is_same_v<M, Assign>)
    return !message.tasks.empty() && known(message.tasks) && message.load >= Duration::zero();
  if constexpr (std::is_same_v<M, Hand>) return known(message.tasks);
  if constexpr (std::is_same_v<M, Done>)
    return known(message.tasks) && message.took >= Duration::zero();
  if constexpr (std::is_same_v<M, Ping>) return message.silence >= Duration::zero();
  if constexpr (std::is_same_v<M, Relay>)
    return known(message.added) && known(message.done) &&
           std::all_of(message.measured.begin(), message.measured.end(),
                       [](const Measure& each) { return each.total >= Duration::zero(); });
  if constexpr (std::is_same_v<M, Report>)
    return std::all_of(message.results.begin(), message.results.end(), [&](const Result& result) {
      return world.profile.has(TaskId(result.task)) && result.executor.value < world.peers();
    });
  return true;
}

}  // namespace rhizome::agents::central
