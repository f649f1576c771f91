#include "agents/work/kinds.hpp"
#include "scenarios/world/resources.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

// Of a duration, about 1.
double draw_factor(const WorkloadSection& section, core::Rng& rng) {
  return section.portion_distribution == PortionKind::exponential
             ? rng.exponential(1)
             : rng.uniform(1 - section.jitter, 1 + section.jitter);
}

// What is equal for all tasks draws nothing, so that a scenario without ranges keeps its history.
agents::Task draw_task(const WorkloadSection& section, core::Rng& rng, agents::TaskId id,
                       double factor) {
  agents::Task task{
      .id = id,
      .duration = core::from_seconds(core::seconds(section.portion_time) * factor),
      .memory = section.memory,
      .cpus = section.cpus,
      .recipe = core::recipe_of(agents::work_kinds(), section.work, section.work_options)};
  if (section.cpus_max > section.cpus)
    task.cpus = static_cast<std::uint32_t>(rng.between(section.cpus, section.cpus_max));
  if (section.memory_max > section.memory)
    task.memory = rng.uniform(section.memory, section.memory_max);
  task.named = draw_amounts(section.resources, rng);
  return task;
}

}  // namespace

agents::Workload generate_workload(const WorkloadSection& section, core::Rng& rng) {
  agents::Workload workload;
  double arrival = core::seconds(section.start);
  for (std::uint32_t j = 0; j < section.jobs; ++j) {
    agents::Job job{.id = j, .arrival = core::Time{} + core::from_seconds(arrival), .portions = {}};
    const bool together = section.portion_draw == PortionDraw::job;
    const double common = together ? draw_factor(section, rng) : 1;
    for (std::uint32_t p = 0; p < section.portions; ++p)
      job.portions.push_back(
          draw_task(section, rng, {j, p}, together ? common : draw_factor(section, rng)));
    workload.jobs.push_back(std::move(job));
    const double spacing = core::seconds(section.spacing);
    arrival += section.arrivals == ArrivalKind::exponential ? rng.exponential(spacing) : spacing;
  }
  return workload;
}

}  // namespace rhizome::scenarios
