// What all peers of a run share, made once: the options, and the ring of all peers, on which the
// successor of its number is the master of a job.
#pragma once

#include "agents/scheduler.hpp"
#include "agents/sparrow/options.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

struct RunConstants {
  const Options options;
  overlay::HashRing ring;

  RunConstants(const Options& chosen, const World& world)
      : options(chosen), ring(world.peers(), chosen.virtual_nodes) {}
};

}  // namespace rhizome::agents::sparrow
