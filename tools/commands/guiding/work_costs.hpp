// Measures what real work costs on this machine, so that a scenario can give these costs to virtual
// time.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/engine/calibration.hpp"
#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"

namespace rhizome::tools {

// A kind of work with its settings, and how long one task of it takes alone on one processor.
struct WorkCost {
  scenarios::WorkloadSection work{};
  core::Duration time{0};  // the median of several runs
  bool right = true;    // all runs computed the right result; false: the machine computes wrongly
  std::string shown{};  // shown in place of `work`, whose file exists only here
};

// Measures products of several orders, CG of every class, a count of 16 MiB, a child process that
// ends at once, and the real work of these cells. Takes some seconds. Once `stop` is true, the rest
// is not measured.
[[nodiscard]] std::vector<WorkCost> measure_work(std::span<const scenarios::Cell> cells,
                                                 const std::atomic<bool>& stop);

// The costs as [workload] tables of scenarios.
[[nodiscard]] std::string text_of(const std::vector<WorkCost>& costs);

// The text of a file that a scenario can name as its costs; scenarios/format/costs.hpp reads it.
[[nodiscard]] std::string costs_file(const core::CostModel& events,
                                     const std::vector<WorkCost>& works);

}  // namespace rhizome::tools
