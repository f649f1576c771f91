// A scenario under an explorer: its peers, its work, and the invariants that every history must
// keep. The explorer chooses the order of events, which packets are lost and which peers crash.
#pragma once

#include <cstddef>

#include "core/explore/explorer.hpp"
#include "scenarios/experiment/prepared.hpp"

namespace rhizome::scenarios {

class Exploration {
 public:
  // The first repetition of one of the cell's schedulers; the cell outlives it. Peers that the
  // scheduler needs do not crash. Throws InputError for a scenario with settings that an explorer
  // chooses itself.
  Exploration(const Cell& cell, std::size_t scheduler, core::ExplorerOptions options);

  [[nodiscard]] core::Explorer& explorer() { return explorer_; }

 private:
  const core::Observer observer_{};
  Prepared prepared_;
  core::Explorer explorer_;
};

}  // namespace rhizome::scenarios
