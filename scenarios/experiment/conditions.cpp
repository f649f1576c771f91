#include "scenarios/experiment/conditions.hpp"

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

void check_schedulers(const Scenario& scenario, const agents::World& world) {
  for (const SchedulerChoice& choice : scenario.schedulers) {
    const std::string reason = choice.scheduler->refusal(choice.options, world);
    if (!reason.empty()) throw InputError(scenario.file, 1, 1, choice.label + ": " + reason);
  }
}

// The faults are common to all schedulers, so that none may be struck that one cannot do without.
Mercy mercy_of(const Scenario& scenario, const agents::World& world) {
  Mercy mercy{.essential = {}, .deaf = {}, .limit = scenario.engine.time_limit};
  for (const SchedulerChoice& choice : scenario.schedulers) {
    for (const core::PeerId peer : choice.scheduler->essential(choice.options, world))
      mercy.essential.insert(peer);
    if (!choice.scheduler->hears_goodbyes) mercy.deaf.push_back(choice.label);
  }
  return mercy;
}

}  // namespace

std::uint64_t repetition_seed(const Scenario& scenario, std::uint32_t repetition) {
  return core::derive_seed({scenario.run.seed, repetition}, "repetition");
}

Surroundings make_surroundings(const Scenario& scenario, std::uint64_t seed) {
  return make_surroundings(scenario, seed, [&scenario](const agents::World& world) {
    check_schedulers(scenario, world);
    return mercy_of(scenario, world);
  });
}

}  // namespace rhizome::scenarios
