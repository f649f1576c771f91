#include "scenarios/experiment/exploration.hpp"

#include <cstdint>
#include <string>
#include <variant>

#include "agents/schedulers.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// Why a scenario cannot be explored; nothing if it can.
std::string refusal(const Scenario& scenario, const Surroundings& around) {
  constexpr std::uint32_t most = 100;  // an order is told apart from others by what each peer did
  if (around.world.peers() > most)
    return "it has " + std::to_string(around.world.peers()) + " peers: take few, at most 100";
  constexpr std::uint64_t most_tasks = 10'000;
  if (around.world.profile.tasks > most_tasks)
    return "it has " + std::to_string(around.world.profile.tasks) +
           " tasks: take few, at most 10000";
  if (around.world.live) return "jobs come through a pipe, and every history would need them again";
  if (!around.faults.empty()) return "it plans faults: leave them out, and say --crashes";
  if (scenario.network.loss > 0)
    return "it loses packets: leave network.loss out, and say --losses";
  if (scenario.network.duplication > 0)
    return "it doubles packets: leave network.duplication out, and say --duplicates";
  if (!scenario.network.partitions.empty()) return "it parts the network: leave that out";
  if (!around.access.empty()) return "it limits bandwidth: leave that out";
  if (around.world.provisioned) return "peers come and go by need: leave [provision] out";
  if (!around.groups.empty()) return "peers share processors: leave that out";
  return {};
}

// Why programs of the user's cannot be explored with these options; nothing if they can. An
// explorer tells peers apart by what each has handled, and goes back by doing that again.
std::string refusal(SchedulerChoice choice) {
  if (choice.scheduler->name != agents::program_name) return {};
  for (const core::Setting& setting : choice.scheduler->settings) {
    const core::SettingValue value = setting.read(choice.scheduler->address(choice.options));
    if (setting.name == "quiet_for" && std::get<core::Duration>(value) > core::Duration::zero())
      return choice.label + " is heard by its silence, in real time: leave quiet_for out";
    if (setting.name == "peers_per_process" && std::get<std::int64_t>(value) > 1)
      return choice.label +
             " has several peers in one process, which may know of each other what no message "
             "said: leave peers_per_process out";
  }
  return {};
}

void check(const Cell& cell, std::size_t scheduler, const Prepared& prepared) {
  std::string why = refusal(cell.scenario, prepared.surroundings());
  if (why.empty()) why = refusal(cell.scenario.schedulers[scheduler]);
  if (!why.empty())
    throw InputError(cell.scenario.file, 1, 1, "an explorer decides what happens when, but " + why);
}

core::ExplorerOptions sparing(core::ExplorerOptions options, const Prepared& prepared) {
  options.spared = prepared.essential();
  return options;
}

// The first broken invariant. With `early` timers may fire early, so that messages count as late.
core::Broken judge(Prepared& prepared, const core::EngineReport& report,
                   const std::vector<core::Fault>& faults, bool early) {
  const Outcome outcome = prepared.outcome(report, faults, early);
  if (outcome.violations.empty()) return {};
  const Violation& first = outcome.violations.front();
  return {first.invariant, first.text};
}

}  // namespace

Exploration::Exploration(const Cell& cell, std::size_t scheduler, core::ExplorerOptions options)
    : prepared_(cell, {.scheduler = scheduler}, observer_),
      explorer_(
          (check(cell, scheduler, prepared_), prepared_.setup()), sparing(options, prepared_),
          {.history = [this, early = options.early > 0](const core::EngineReport& report,
                                                        const std::vector<core::Fault>& faults) {
            return judge(prepared_, report, faults, early);
          }}) {}

}  // namespace rhizome::scenarios
