// Hands in the jobs of clients at a lone peer, as in a run.
#pragma once

#include "agents/scheduler.hpp"
#include "scenarios/experiment/handed_in.hpp"

namespace rhizome::test {

// Inputs that are due are taken at once, the others at their time.
template <class Peer>
void hand_in(Peer& peer, const agents::Scheduler& scheduler, const std::any& options,
             const agents::World& world) {
  const auto never = [] { return false; };
  scenarios::HandedIn inputs(world.arrivals(), scheduler.prepare(options, world, never).entries,
                             {});
  while (auto input = inputs.next({}))
    if (input->peer == peer.peer().id()) peer.expect(*std::move(input));
  peer.take_inputs();
}

}  // namespace rhizome::test
