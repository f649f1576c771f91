#include "agents/master_worker/master_worker.hpp"

#include <string>

#include "agents/central/rules.hpp"

namespace rhizome::agents {

namespace {

using central::Options;

core::Settings<Options> settings() {
  core::Settings<Options> all;
  all.add(
         "snapshot", &Options::snapshot,
         {"Time between two snapshots of what the master knows. More spares messages; tasks that "
          "were executed since the last one need not be done again, for the door has counted them.",
          "Self adjusted auto provision system, Fault tolerance: periodically", 0.01, 1e6})
      .add("election", &Options::succession, {"bully", "lease"},
           {"Who succeeds a dead master: the highest address, as workers find out among each other "
            "(bully), or whoever finds first that the master's lease at the store has expired.",
            "Self adjusted auto provision system: re-election"});
  central::add_common(all);
  return all;
}

Options defaults() {
  Options options;
  options.succession = central::Succession::bully;
  return options;
}

Deployment prepare(const Options& options, const World& world, const std::function<bool()>&) {
  return central::deploy(central::make_rules(options, {{}}, world), world);
}

std::string refusal(const Options& options, const World& world) {
  if (world.peers() < 3) return "there must be a master and a worker besides the door";
  return central::refuse_times(options, world);
}

}  // namespace

Scheduler master_worker() {
  return make_scheduler<Options>(
      {.name = "master-worker",
       .summary =
           "a master hands tasks to idle workers, first come first served; its state is in a "
           "store, from which another goes on",
       .most_hops = 2,
       .serves = true,
       .in_time = {0, "since the door and the master do no work, two of three peers at the least"},
       .settings = settings(),
       .defaults = defaults,
       .prepare = prepare,
       .stay =
           [](const Options& options, const World& world) {
             return central::staff_of(central::make_rules(options, {{}}, world), world);
           },
       .patience = central::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
