// What real work costs on this machine, measured, so that a scenario can say it to virtual time.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::tools {

// Work of one kind with some settings, and how long a task of it takes alone on one processor.
struct WorkCost {
  std::vector<std::string> keys{};  // of [workload], as lines of a scenario
  core::Duration time{0};           // the median of several, of which each was right
  bool right = true;                // or the machine computes wrongly
};

// Products of several orders, CG of every class, a count of 16 MiB, a child that ends at once.
// Takes some seconds; fewer costs once `stop` is true.
[[nodiscard]] std::vector<WorkCost> measure_work(const std::atomic<bool>& stop);

// As tables [workload] of scenarios.
[[nodiscard]] std::string text_of(const std::vector<WorkCost>& costs);

}  // namespace rhizome::tools
