// Signals between provisioning and the scheduler of the same peer. A scheduler whose peers can be
// drained hears Draining and raises the others.
#pragma once

namespace rhizome::agents::provision {

// This peer shall finish its tasks, accept no more, and leave.
struct Draining {};
// It has finished: no task, result or state of the run is lost when it leaves.
struct Vacated {};
// `rests`: it has no task from now on; otherwise it has one again, or the run is over.
struct Resting {
  bool rests = false;
};

}  // namespace rhizome::agents::provision
