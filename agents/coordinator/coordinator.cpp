// The coordinator pair of the IDunno report: a coordinator and its standby, and workers that are
// shared between models so that their queries are answered at equal rates.
#include <string>

#include "agents/central/rules.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents {

namespace {

using central::Options;

core::Settings<Options> settings() {
  core::Settings<Options> all;
  all.add("models", &Options::models,
          {"A word for each model, QUERIES/LOAD/QUERY such as 10/5s/0.5s: the queries of a batch, "
           "the time to load the model before each, and what a query is expected to take before "
           "any batch has been measured, both at a peer of speed 1. A query is a task; job j asks "
           "model j mod n of n.",
           "IDunno report, Performance 1; the times are ours, and fit its splits"});
  central::add_common(all);
  return all;
}

Deployment prepare(const Options& options, const World& world, const std::function<bool()>&) {
  std::string why;
  return central::deploy(
      central::make_rules(options, central::parse_models(options.models, why), world), world);
}

std::string refusal(const Options& options, const World& world) {
  if (world.peers() < 3) return "there must be a coordinator and a worker besides the door";
  std::string why;
  if (central::parse_models(options.models, why).empty()) return why;
  return central::refuse_times(options, world);
}

}  // namespace

Scheduler coordinator() {
  return make_scheduler<Options>(
      {.name = "coordinator",
       .summary = "a coordinator and its standby share workers between models, for equal rates of "
                  "queries",
       .serves = true,
       .in_time = {0, "since every batch loads its model first, which the tasks do not include"},
       .settings = settings(),
       .prepare = prepare,
       .stay =
           [](const Options& options, const World& world) {
             return central::staff_of(central::make_rules(options, {}, world), world);
           },
       .patience = central::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
