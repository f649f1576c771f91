#include "agents/bounds/omniscient.hpp"

#include <memory>

#include "agents/bounds/omniscient_plan.hpp"
#include "agents/bounds/planned.hpp"

namespace rhizome::agents {

namespace {

struct Options {
  Duration delay{0};
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "delay", &Options::delay,
      {"Time that a task takes to the central scheduler, and once more from it to a peer; 0: the "
       "bound. The scheduler itself takes none, and its messages are not counted.",
       "our choice; Ousterhout et al. 2013 give their ideal 0.5 ms", 0, 1e6});
}

// All peers share one plan: it is the same for every peer, and takes long to make in a large world.
Deployment prepare(const Options& options, const World& world,
                   const std::function<bool()>& stopped) {
  const Duration reaction = 2 * options.delay;
  return bounds::follow(
      std::make_shared<const bounds::PlacementPlan>(bounds::plan_for(world, reaction, stopped)),
      world, reaction);
}

}  // namespace

Scheduler omniscient() {
  return make_scheduler<Options>(
      {.name = "omniscient",
       .summary = "a bound: all tasks are known beforehand, and placed without messages",
       .finds_room = true,
       .in_time = {5,
                   "since a task goes to the first peer that rests, however slow, and none goes "
                   "before one that came sooner"},
       .settings = settings(),
       .prepare = prepare,
       .essential = everybody<Options>,
       .waits = [](const Options& options, const World&) { return 2 * options.delay; },
       .refusal = [](const Options&, const World& world) { return bounds::unplannable(world); }});
}

}  // namespace rhizome::agents
