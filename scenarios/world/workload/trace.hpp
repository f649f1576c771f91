// What the readers of traces share: a job as read, and the window and the scales of the scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/world/sections.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

struct TraceTask {
  double run = 0;     // seconds
  double memory = 0;  // share of a standard machine
};
struct TraceJob {
  double submitted = 0;  // seconds
  std::vector<TraceTask> tasks;
};

// Sorts by submission, cuts to the window and to max_jobs, scales, and numbers jobs and portions
// anew. Throws InputError when nothing is left.
[[nodiscard]] LoadedWorkload cut_trace(std::vector<TraceJob> jobs, const WorkloadSection& section);

}  // namespace rhizome::scenarios
