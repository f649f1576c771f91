// Results of the invariants for outcomes made by hand.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/outcome/invariants.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::test {

using Names = std::vector<std::string>;

// The names of broken invariants, each once.
inline Names broken(const scenarios::Outcome& outcome) {
  Names names;
  for (const scenarios::Violation& violation : scenarios::examine(outcome).violations)
    if (std::find(names.begin(), names.end(), violation.invariant) == names.end())
      names.push_back(violation.invariant);
  return names;
}

inline void crash(scenarios::Outcome& outcome, core::Duration when, std::uint32_t peer) {
  outcome.faults.push_back({at(when), core::PeerId{peer}, core::Fault::Kind::crash});
  outcome.peers[peer].alive = false;
  outcome.peers[peer].finished = false;
}

}  // namespace rhizome::test
