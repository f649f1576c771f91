// Which peer is the master of which job: the successor of its number on the ring of all peers. The
// same for everybody, and made once.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/scheduler.hpp"
#include "overlay/hash_ring.hpp"

namespace rhizome::agents::sparrow {

struct Masters {
  overlay::HashRing ring;
  std::vector<std::vector<std::uint32_t>> jobs;  // of each peer, ascending

  Masters(const World& world, std::uint32_t virtual_nodes)
      : ring(world.peers(), virtual_nodes), jobs(world.peers()) {
    for (const Job& job : world.workload.jobs) jobs[ring.owner(job.id).value].push_back(job.id);
  }
};

}  // namespace rhizome::agents::sparrow
