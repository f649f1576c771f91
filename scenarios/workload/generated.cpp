#include "scenarios/workload/workload.hpp"

namespace rhizome::scenarios {

agents::Workload generate_workload(const WorkloadSection& section, core::Rng& rng) {
  agents::Workload workload;
  double arrival = 0;
  for (std::uint32_t j = 0; j < section.jobs; ++j) {
    agents::Job job{.id = j, .arrival = core::Time{} + core::from_seconds(arrival), .portions = {}};
    for (std::uint32_t p = 0; p < section.portions; ++p) {
      const double factor = rng.uniform(1 - section.jitter, 1 + section.jitter);
      job.portions.push_back(
          {.id = {j, p},
           .duration = core::from_seconds(core::seconds(section.portion_time) * factor),
           .memory = 0,
           .kind = section.work,
           .order = section.work == core::Work::Kind::matrix ? section.matrix_order : 0});
    }
    workload.jobs.push_back(std::move(job));
    const double spacing = core::seconds(section.spacing);
    arrival += section.arrivals == ArrivalKind::exponential ? rng.exponential(spacing) : spacing;
  }
  return workload;
}

LoadedWorkload make_workload(const WorkloadSection& section, core::Rng& rng) {
  if (section.kind == WorkloadKind::google_trace) return read_google_trace(section);
  if (section.kind == WorkloadKind::swf) return read_swf(section);
  return {generate_workload(section, rng), {}};
}

}  // namespace rhizome::scenarios
