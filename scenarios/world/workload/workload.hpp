// Workloads: generated, or read from traces.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/world/model.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A workload and what was left out of it, in sentences: nothing is dropped silently.
struct LoadedWorkload {
  agents::Workload workload;
  std::vector<std::string> remarks;
};

// A line for each kind says what it is, which keys of [workload] are its own, and how it is made:
// throws InputError for a malformed trace, and when no job is left.
struct WorkloadModel : Model {
  std::function<LoadedWorkload(const WorkloadSection&, core::Rng&)> make;
};

// In the order of WorkloadKind.
[[nodiscard]] std::span<const WorkloadModel> workload_models();
[[nodiscard]] const WorkloadModel& workload_model(WorkloadKind kind);

// Jobs of equal size.
[[nodiscard]] agents::Workload generate_workload(const WorkloadSection& section, core::Rng& rng);

// The tasks of the Google cluster trace of 2011 (Reiss, Wilkes, Hellerstein) as comma-separated
// values: job_id, task_index, submit_us, wait_us, run_us, attempts, scheduling_class, priority,
// cpu_request, memory_request. All tasks of a job arrive when its first was submitted.
[[nodiscard]] LoadedWorkload read_google_trace(const WorkloadSection& section);

// The Standard Workload Format, version 2.2 (Feitelson). A job of p processors becomes p portions
// of its run time; jobs without processors or run time are left out and counted.
[[nodiscard]] LoadedWorkload read_swf(const WorkloadSection& section);

}  // namespace rhizome::scenarios
