// The catalogue of schedulers: one line each.
#include <vector>

#include "agents/air_traffic/air_traffic.hpp"
#include "agents/bounds/heft.hpp"
#include "agents/bounds/omniscient.hpp"
#include "agents/coordinator/coordinator.hpp"
#include "agents/dispatcher/dispatcher.hpp"
#include "agents/master_worker/master_worker.hpp"
#include "agents/organic_grid/organic_grid.hpp"
#include "agents/overlay_only.hpp"
#include "agents/program/program.hpp"
#include "agents/round_robin.hpp"
#include "agents/scheduler.hpp"
#include "agents/sparrow/sparrow.hpp"
#include "agents/vector/vector.hpp"
#include "agents/wander/wander.hpp"

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
