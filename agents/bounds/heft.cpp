#include "agents/bounds/heft.hpp"

#include <memory>

#include "agents/bounds/heft_plan.hpp"
#include "agents/bounds/planned.hpp"

namespace rhizome::agents {

namespace {

using bounds::HeftOptions;

core::Settings<HeftOptions> settings() {
  using O = HeftOptions;
  return core::Settings<O>{}
      .add("latency", &O::latency,
           {"Time from the end of a task until its results are at another peer, for what needs "
            "them; 0: the bound. Tasks on one peer hand them over at once. More keeps what needs "
            "each other together.",
            "our choice; Topcuoglu et al. 2002 call it communication startup", 0, 1e6})
      .add("bandwidth", &O::bandwidth,
           {"Bytes a second at which the bytes of an edge go to another peer, after that; 0: at "
            "once. Less keeps what needs much of each other together.",
            "our choice; Topcuoglu et al. 2002 call it the transfer rate", 0, 1e15});
}

Deployment prepare(const HeftOptions& options, const World& world,
                   const std::function<bool()>& stopped) {
  return bounds::follow(
      std::make_shared<const bounds::PlacementPlan>(bounds::heft_plan(world, options, stopped)),
      world);
}

}  // namespace

Scheduler heft() {
  return make_scheduler<HeftOptions>(
      {.name = "heft",
       .summary =
           "a bound for graphs: all is known beforehand, the longest path to the end goes first",
       .finds_room = true,
       .in_time = {3, "since it plans each task to end first, not to begin first"},
       .settings = settings(),
       .prepare = prepare,
       .essential = everybody<HeftOptions>,
       .waits = bounds::longest_transfer,
       .refusal = [](const HeftOptions&, const World& world) {
         return bounds::unplannable(world);
       }});
}

}  // namespace rhizome::agents
