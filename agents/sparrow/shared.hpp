// What all peers of a run share, made once: the options, and which peer is the master of which job,
// the successor of its number on the ring of all peers.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/scheduler.hpp"
#include "agents/sparrow/options.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

struct Shared {
  const Options options;
  overlay::HashRing ring;
  std::vector<std::vector<std::uint32_t>> jobs;  // of each peer, ascending

  Shared(const Options& chosen, const World& world)
      : options(chosen), ring(world.peers(), chosen.virtual_nodes), jobs(world.peers()) {
    for (const Job& job : world.workload.jobs) jobs[ring.owner(job.id).value].push_back(job.id);
  }
};

}  // namespace rhizome::agents::sparrow
