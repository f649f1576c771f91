// Finds cycles in a tree of parents, from facts.
#pragma once

#include <set>
#include <vector>

#include "scenarios/outcome/standing.hpp"

namespace rhizome::scenarios {

// A cycle is wrong once it lasts longer than `grace`: the time that peers need to notice a cycle
// made by a fault, and the possible difference of times of facts on different threads.
class Cycles {
 public:
  Cycles(Duration grace, Findings& findings) : grace_(grace), findings_(findings) {}

  // The peer has another parent, or none, in a tree that has been told already.
  void moved(core::PeerId peer, const Standing& tree, core::PeerId root, Time at);
  void finish(Time at);

 private:
  struct Cycle {
    std::set<core::PeerId> peers;
    core::PeerId closed_by;
    core::PeerId root;
    Time since;
  };
  void report(const Cycle& cycle, Time until);

  Duration grace_;
  Findings& findings_;
  std::vector<Cycle> open_;
};

}  // namespace rhizome::scenarios
