// Whether a message is to be believed, beyond the types of its fields: a message that asks for an
// answer names a peer, and only the source sends what only the source can know.
#pragma once

#include "agents/credible.hpp"
#include "agents/sparrow/messages.hpp"

namespace rhizome::agents::sparrow {

template <class M>
[[nodiscard]] bool credible(PeerId self, const World& world, PeerId from, const M& message) {
  using ToOthers = core::OneOf<Disown, Welcome, Over>;  // the source may be a master itself
  if (!agents::credible(world, from, message)) return false;
  if (core::one_of<M, ToOthers> && self == world.source) return false;
  if constexpr (core::one_of<M, ToOthers> || core::one_of<M, core::OneOf<Noted, Adopt>>)
    return from == world.source;
  if constexpr (requires { message.master; }) return message.master != core::nobody;
  if constexpr (requires { message.executor; }) return message.executor != core::nobody;
  // Messages of groups. A leader is a master, and any peer may be one.
  if constexpr (requires { message.job; })
    if (!world.profile.has(TaskId{message.job, 0})) return false;
  if constexpr (std::is_same_v<M, Enlisted>) return message.speed > 0;
  return true;
}

}  // namespace rhizome::agents::sparrow
