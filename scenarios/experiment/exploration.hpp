// A scenario under an explorer: its peers, its work, and the invariants that every history must
// keep. What happens when, and what is lost or crashes, is a choice.
#pragma once

#include <cstddef>

#include "core/explore/explorer.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

class Exploration {
 public:
  // The first repetition of one of the cell's schedulers; the cell outlives it. Peers that the
  // scheduler cannot do without are spared. Throws InputError for a scenario that says itself what
  // an explorer chooses.
  Exploration(const Cell& cell, std::size_t scheduler, core::ExplorerOptions options);

  [[nodiscard]] core::Explorer& explorer() { return explorer_; }

 private:
  const core::Observer observer_{};
  Prepared prepared_;
  core::Explorer explorer_;
};

}  // namespace rhizome::scenarios
