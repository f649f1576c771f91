#include "scenarios/experiment/exploration.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <variant>

#include "agents/schedulers.hpp"
#include "scenarios/experiment/memory.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace {

// Why a world is too large to be explored; nothing if it is not.
std::string too_large(std::uint32_t peers, double all_tasks) {
  constexpr std::uint32_t most = 100;  // an order is told apart from others by what each peer did
  constexpr double most_tasks = 10'000;
  if (peers > most) return fmt::format("it has {} peers: take few, at most {}", peers, most);
  if (all_tasks > most_tasks)
    return fmt::format("it has {:.0f} tasks: take few, at most {:.0f}", all_tasks, most_tasks);
  return {};
}

// The bytes of all files that the tasks of a world name; they are made anew for each history.
double bytes_of_files(const FilesSection& files, const agents::Profile& profile) {
  double bytes = static_cast<double>(files.output) * static_cast<double>(profile.tasks);
  for (const FileInputSection& input : files.inputs) {
    const std::uint64_t made = input.per == FilePer::run   ? 1
                               : input.per == FilePer::job ? profile.jobs
                                                           : profile.tasks;
    bytes += static_cast<double>(input.size) * static_cast<double>(made);
  }
  return bytes;
}

// Why a scenario cannot be explored; nothing if it can.
std::string refusal(const Scenario& scenario, const Surroundings& around) {
  const std::string large =
      too_large(around.world.peers(), static_cast<double>(around.world.profile.tasks));
  if (!large.empty()) return large;
  constexpr double most_bytes = 1U << 30U;
  constexpr std::uint64_t most_inputs = 100'000;
  if (bytes_of_files(scenario.files, around.world.profile) > most_bytes)
    return "its tasks name files of more than 1 GiB in all: take smaller ones";
  if (scenario.files.inputs.size() * around.world.profile.tasks > most_inputs)
    return fmt::format("its tasks name more than {} files: take fewer", most_inputs);
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

void refuse_if(const std::string& why, const Cell& cell) {
  if (!why.empty())
    throw InputError(cell.scenario.file, 1, 1, "an explorer decides what happens when, but " + why);
}

// Checks what the scenario says of itself, before its work is looked through.
const Cell& small(const Cell& cell) {
  refuse_if(too_large(cell.scenario.peers.count, foreseen_work(cell.scenario).tasks), cell);
  return cell;
}

void check(const Cell& cell, std::size_t scheduler, const Prepared& prepared) {
  refuse_if(refusal(cell.scenario, prepared.surroundings()), cell);
  refuse_if(refusal(cell.scenario.schedulers[scheduler]), cell);
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
    : prepared_(small(cell), {.scheduler = scheduler}, observer_),
      explorer_(
          (check(cell, scheduler, prepared_), prepared_.setup()), sparing(options, prepared_),
          {.history = [this, early = options.early > 0](const core::EngineReport& report,
                                                        const std::vector<core::Fault>& faults) {
            return judge(prepared_, report, faults, early);
          }}) {}

}  // namespace rhizome::scenarios
