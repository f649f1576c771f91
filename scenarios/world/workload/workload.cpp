#include "scenarios/world/workload/workload.hpp"

#include <string>
#include <vector>

namespace rhizome::scenarios {

namespace {

using core::Rng;
using S = WorkloadSection;

std::vector<WorkloadModel> make_workloads() {
  const std::vector<std::string> own{"jobs",    "portions",   "portion_time", "arrivals",
                                     "spacing", "start",      "cpus",         "cpus_max",
                                     "memory",  "memory_max", "work"};
  const std::vector<std::string> of_traces{"file",  "max_jobs",         "from",
                                           "until", "time_compression", "duration_scale"};
  return {
      {{"generated", "jobs of equal portions, with spacing", own}, generate_jobs, true},
      {{"google-trace",
        "the Google cluster trace of 2011, but for its requests of processors: a task has a slot",
        of_traces},
       [](const S& s, const Rng&) { return open_google_trace(s); }},
      {{"swf", "the Standard Workload Format", of_traces},
       [](const S& s, const Rng&) { return open_swf(s); }},
  };
}

}  // namespace

std::span<const WorkloadModel> workload_models() {
  static const std::vector<WorkloadModel> models = make_workloads();
  return models;
}

const WorkloadModel& workload_model(WorkloadKind kind) {
  return workload_models()[static_cast<std::size_t>(kind)];
}

}  // namespace rhizome::scenarios
