#include "scenarios/world/workload/draw.hpp"

#include "scenarios/world/resources.hpp"
#include "scenarios/world/workload/bounded_pareto.hpp"

namespace rhizome::scenarios {

double draw_factor(const WorkloadSection& section, core::Rng& rng) {
  switch (section.portion_distribution) {
    case PortionKind::exponential:
      return rng.exponential(1);
    case PortionKind::pareto:
      return BoundedPareto(section.portion_shape, section.portion_range)
          .quantile(rng.uniform(0, 1));
    case PortionKind::uniform:
      break;
  }
  return rng.uniform(1 - section.jitter, 1 + section.jitter);
}

agents::Task draw_task(const WorkloadSection& section, const core::Recipe& recipe, core::Rng& rng,
                       agents::TaskId id, double factor) {
  agents::Task task{.id = id,
                    .duration = core::from_seconds(core::seconds(section.portion_time) * factor),
                    .memory = section.memory,
                    .cpus = section.cpus,
                    .recipe = recipe};
  if (section.cpus_max > section.cpus)
    task.cpus = static_cast<std::uint32_t>(rng.between(section.cpus, section.cpus_max));
  if (section.memory_max > section.memory)
    task.memory = rng.uniform(section.memory, section.memory_max);
  task.named = draw_amounts(section.resources, rng);
  return task;
}

}  // namespace rhizome::scenarios
