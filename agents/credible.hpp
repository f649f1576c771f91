// Whether a message can be true in a world, by the types of its fields. A protocol asks before it
// uses an address, a task or a time of the message, and states only what goes beyond the types. The
// engine vouches for the sender of a packet.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "agents/possible.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents {

// A task, or the id of one, must be of the workload. Its other fields are checked only for what is
// possible, since only peers that have the task know them. An address is of a peer or
// `core::no_peer`, no time is negative, and agents::possible() holds.
template <class T>
[[nodiscard]] bool credible(const World& world, const T& said) {
  if constexpr (std::is_same_v<T, Task>) {
    return world.profile.has(said) && possible(said, world.peers());
  } else if constexpr (std::is_same_v<T, TaskId>) {
    return world.profile.has(said);
  } else if constexpr (std::is_same_v<T, core::Duration>) {
    return said >= core::Duration::zero() && said <= longest_time;
  } else if constexpr (requires {
                         { said.possible() } -> std::same_as<bool>;
                       }) {
    return said.possible();
  } else if constexpr (requires { said.begin(); }) {
    return std::all_of(said.begin(), said.end(),
                       [&world](const auto& item) { return credible(world, item); });
  } else if constexpr (std::is_aggregate_v<T> && !std::is_same_v<T, core::PeerId> &&
                       !std::is_same_v<T, core::DeclaredBytes>) {
    return core::with_fields(
        said, [&world](const auto&... field) { return (credible(world, field) && ...); });
  } else {
    return possible(said, world.peers());
  }
}

// The same of a message.
template <class M>
[[nodiscard]] bool credible(const World& world, core::PeerId from, const M& message) {
  return from.value < world.peers() && credible(world, message);
}

}  // namespace rhizome::agents
