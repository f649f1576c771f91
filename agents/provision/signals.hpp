// Signals between provisioning and the scheduler of the same peer. A scheduler whose peers can be
// drained hears Draining and raises the other signals.
#pragma once

#include <cstdint>

#include "core/peer/ids.hpp"
#include "core/peer/input.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

// This peer shall finish its tasks, accept no more, and leave.
struct Draining {};
// The scheduler has finished at this peer: no task, result or state of the run is lost when it
// leaves.
struct Vacated {};
// `rests`: it has no task from now on; otherwise it has one again, or the run is over.
struct Resting {
  bool rests = false;
};

// Inputs of a real cluster, at the peer where work enters.
struct ClusterSeen {
  static constexpr core::InputInfo info{"cluster-seen",
                                        "The queue and the idle nodes of a real cluster."};
  std::uint32_t idle = 0;
  std::uint32_t required = 0;  // nodes of the top job of the queue; 0: no job waits
  core::Duration waited{0};    // for how long that job has been there
};
struct NodeReady {
  static constexpr core::InputInfo info{"node-ready",
                                        "A reserved node of a real cluster can work."};
  core::PeerId node{};
};
struct NodeLost {
  static constexpr core::InputInfo info{"node-lost",
                                        "The worker of a node of a real cluster has died."};
  core::PeerId node{};
  std::uint32_t tasks = 0;  // that the worker had
};

}  // namespace rhizome::agents::provision
