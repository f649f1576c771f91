// Checks the contents of a message against the world, before any address, task or time in it is
// used.
#pragma once

#include <algorithm>

#include "agents/central/messages.hpp"
#include "agents/credible.hpp"

namespace rhizome::agents::central {

// Messages that only the door sends.
using OfTheDoor = core::OneOf<Hand, Counted, Leader, Registered, Grant, Over>;

template <class M>
[[nodiscard]] bool credible(const World& world, PeerId from, const M& message) {
  if (!agents::credible(world, from, message)) return false;
  if ((from == world.source) != core::one_of<M, OfTheDoor> &&
      !core::one_of<M, core::OneOf<Relay, Relayed, Pong>>)
    return false;
  if constexpr (std::is_same_v<M, Assign>) return !message.tasks.empty();
  if constexpr (std::is_same_v<M, Report>)
    return std::none_of(message.results.begin(), message.results.end(),
                        [](const Result& result) { return result.executor == core::nobody; });
  return true;
}

}  // namespace rhizome::agents::central
