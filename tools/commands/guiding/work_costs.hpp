// What real work costs on this machine, measured, so that a scenario can say it to virtual time.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/engine/calibration.hpp"
#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::tools {

// Work of one kind with some settings, and how long a task of it takes alone on one processor.
struct WorkCost {
  scenarios::WorkloadSection work{};
  core::Duration time{0};  // the median of several, of which each was right
  bool right = true;       // or the machine computes wrongly
  std::string shown{};     // instead of the file that is worked on, which nobody else has
};

// Products of several orders, CG of every class, a count of 16 MiB, a child that ends at once; and
// the work of these cells, where it is real. Takes some seconds; fewer costs once `stop` is true.
[[nodiscard]] std::vector<WorkCost> measure_work(std::span<const scenarios::Cell> cells,
                                                 const std::atomic<bool>& stop);

// As tables [workload] of scenarios.
[[nodiscard]] std::string text_of(const std::vector<WorkCost>& costs);

// A file that a scenario can name as its costs: scenarios/format/costs.hpp reads it.
[[nodiscard]] std::string costs_file(const core::CostModel& events,
                                     const std::vector<WorkCost>& works);

}  // namespace rhizome::tools
