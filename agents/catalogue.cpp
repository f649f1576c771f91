// The catalogue of schedulers: one line each.
#include <vector>

#include "agents/schedulers.hpp"

namespace rhizome::agents {

std::span<const Scheduler> catalogue() {
  static const std::vector<Scheduler> schedulers{
      organic_grid(),
      air_traffic(),
      hybrid(),
      round_robin(),
      dispatcher(),
      sparrow_family(),
      vector_scheduling(),
      master_worker(),
      coordinator(),
      wander(),
      omniscient(),
      heft(),
      overlay_only(),
      program_scheduler(),
  };
  return schedulers;
}

const Scheduler* find_scheduler(std::string_view name) {
  for (const Scheduler& scheduler : catalogue())
    if (scheduler.name == name) return &scheduler;
  return nullptr;
}

}  // namespace rhizome::agents
