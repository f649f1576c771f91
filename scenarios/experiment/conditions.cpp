#include "scenarios/experiment/conditions.hpp"

#include <sstream>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// A task that can run nowhere would wait for ever, or run where it has no room.
void check_tasks(const Scenario& scenario, const agents::World& world) {
  const auto& task = world.profile.misfit;
  if (!task) return;
  std::ostringstream text;
  text << "task " << task->id.job << '.' << task->id.portion << " fits no peer: it needs "
       << task->cpus << " slots and memory " << task->memory;
  throw InputError(scenario.file, 1, 1, text.str());
}

void check_schedulers(const Scenario& scenario, const agents::World& world) {
  for (const SchedulerChoice& choice : scenario.schedulers) {
    std::string reason = choice.scheduler->refusal(choice.options, world);
    const bool ordered = scenario.peers.discipline != agents::DisciplineId{};
    if (reason.empty() && ordered && !choice.scheduler->serves)
      reason = "peers.discipline has no effect on it";
    if (!reason.empty()) throw InputError(scenario.file, 1, 1, choice.label + ": " + reason);
  }
}

// The workload of an open run must not end before it.
void check_open(const Scenario& scenario, bool goes_on) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(scenario.file, 1, 1, "run.duration " + why);
  };
  if (scenario.run.duration >= scenario.engine.time_limit)
    refuse("must be shorter than engine.time_limit");
  if (!goes_on)
    refuse("is longer than its workload: let more jobs arrive, or leave the duration out");
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
  const auto mercy = [&scenario](const agents::World& world) {
    check_tasks(scenario, world);
    check_schedulers(scenario, world);
    return mercy_of(scenario, world);
  };
  Surroundings made = make_surroundings(scenario, seed, mercy, scenario.run.duration);
  if (scenario.run.duration > Duration::zero()) check_open(scenario, made.goes_on);
  return made;
}

}  // namespace rhizome::scenarios
