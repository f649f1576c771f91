// Whether what a message says can be true in a world, by the types of its fields: before an
// address, a task or a time in it is used. Whom a packet is from, its engine vouches for. A
// protocol states only what goes beyond.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "agents/possible.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents {

// A task, or its name, is one that the workload may have: what was submitted under its name, only
// those who have it can know. An address is a peer's or nobody, no time is below 0, and whatever
// else can be asked of a stranger holds.
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
