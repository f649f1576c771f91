// The runs that an experiment consists of, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/catalogue.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/text/run_share.hpp"

namespace rhizome::scenarios {

// One planned run.
struct PlannedRun {
  const Cell* cell = nullptr;
  std::size_t scheduler = 0;  // position in the cell's scenario
  std::uint32_t repetition = 0;
  Assignments choices;  // the sweep's, as far as they concern the scheduler
  [[nodiscard]] const core::EngineKind& engine() const {
    return core::engine_of(cell->scenario.engine.kind);
  }
};

// Cell by cell, repetition by repetition, scheduler by scheduler; repetitions before `first` are
// left out. Several cells may differ in nothing that concerns a scheduler: the first of them runs
// for all. One cell by itself is whole, because its caller knows nothing of others.
[[nodiscard]] std::vector<PlannedRun> make_plans(std::span<const Cell> cells,
                                                 std::uint32_t first = 0);

// The plans that the share holds.
[[nodiscard]] std::vector<PlannedRun> held_by(std::vector<PlannedRun> plans, const RunShare& share);

}  // namespace rhizome::scenarios
