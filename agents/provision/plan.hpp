// The plan of a provisioned run, known to its peers beforehand: which of them are nodes, how many
// nodes are held at the start, and the cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/provision/cluster.hpp"
#include "agents/provision/policy.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::provision {

struct NodePlan {
  Options options{};
  NodeLimits limits{};
  std::vector<core::PeerId> nodes{};  // in the order in which they are reserved
  std::uint32_t at_start = 0;         // the number of the first nodes that are held
  std::uint32_t cluster_nodes = 0;
  bool real = false;               // other machines work: inputs tell which are ready or idle
  std::vector<OtherJob> others{};  // by time of submission
};

}  // namespace rhizome::agents::provision
