#include "scenarios/outcome/invariant_catalogue.hpp"

#include "agents/scheduler.hpp"

// The declarations of a scheduler tell whether an invariant concerns it. A structure is declared
// only by the facts of a run, so schedulers with a structure are named here.
namespace rhizome::scenarios::concerns {

bool promise_a_time(const agents::Scheduler& scheduler) { return scheduler.in_time.times > 0; }

bool promise_hops(const agents::Scheduler& scheduler) { return scheduler.most_hops > 0; }

bool serve(const agents::Scheduler& scheduler) { return scheduler.serves; }

bool have_heads(const agents::Scheduler& scheduler) {
  return scheduler.name == "coordinator" || scheduler.name == "master-worker";
}

bool have_trees(const agents::Scheduler& scheduler) {
  return scheduler.name == "organic-grid" || scheduler.name == "hybrid";
}

bool have_groups(const agents::Scheduler& scheduler) {
  return scheduler.name == "air-traffic" || scheduler.name == "hybrid";
}

bool connect_leaders(const agents::Scheduler& scheduler) { return scheduler.name == "air-traffic"; }

bool check_views(const agents::Scheduler& scheduler) { return scheduler.name == "overlay-only"; }

bool find_tasks(const agents::Scheduler& scheduler) { return scheduler.name == "wander"; }

}  // namespace rhizome::scenarios::concerns
