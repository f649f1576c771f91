// What provisioning and the scheduler of the same peer say to each other. A scheduler whose peers
// can be drained hears Draining and raises the others.
#pragma once

namespace rhizome::agents::provision {

// This peer shall finish what it has, take no more, and leave.
struct Draining {};
// It has: nothing of it is missed once it is gone.
struct Vacated {};
// It has nothing to do from now on, or has again; or its run is over, and it rests no more.
struct Resting {
  bool rests = false;
};

}  // namespace rhizome::agents::provision
