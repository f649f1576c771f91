#include "scenarios/experiment/steered.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/swept.hpp"
#include "scenarios/text/peer_list.hpp"

namespace rhizome::scenarios {

namespace {

using core::Fault;
using core::OperatorCommand;

void add(Steered& steered, const OperatorCommand& operator_command, Time end) {
  if (const auto fault = core::fault_of(operator_command.kind))
    steered.faults.push_back({operator_command.at, operator_command.peers.front(), *fault});
  else if (operator_command.kind == OperatorCommand::Kind::cut_off)
    steered.cuts.push_back({operator_command.at, end, operator_command.peers});
  else
    steered.cuts.back().until = operator_command.at;
}

// Leaves out crashes of dead peers and restarts of living ones, which change nothing.
std::vector<Fault> effective(std::vector<Fault> faults) {
  std::ranges::stable_sort(faults, [](const Fault& a, const Fault& b) { return a.at < b.at; });
  std::map<core::PeerId, bool> is_up;
  for (const Fault& fault : faults)
    if (fault.kind == Fault::Kind::join) is_up[fault.peer] = false;
  std::erase_if(faults, [&](const Fault& fault) {
    const bool up = !core::ends_life(fault.kind);
    return std::exchange(is_up.try_emplace(fault.peer, true).first->second, up) == up;
  });
  return faults;
}

FaultsSection listed(const Steered& steered, Duration limit) {
  FaultsSection section;
  for (const Fault& fault : steered.faults)
    if (const Duration at = fault.at.time_since_epoch(); at <= limit)
      section.events.push_back({.at = at, .peer = fault.peer.value, .kind = fault.kind});
  return section;
}

PartitionSection partition(const CutByHand& cut) {
  return {.from = cut.from.time_since_epoch(),
          .until = cut.until.time_since_epoch(),
          .peers = peers_text(cut.peers)};
}

}  // namespace

Steered steered_by(const core::Steering* steering, const std::vector<Fault>& planned,
                   const Scenario& scenario) {
  Steered steered;
  if (steering == nullptr || steering->count() == 0) return steered;
  const std::vector<OperatorCommand> operator_commands = steering->done();
  steered.operator_commands = static_cast<std::uint32_t>(operator_commands.size());
  steered.faults = planned;
  for (const OperatorCommand& operator_command : operator_commands)
    add(steered, operator_command, Time{} + scenario.engine.time_limit);
  steered.faults = effective(std::move(steered.faults));
  std::erase_if(steered.cuts, [](const CutByHand& cut) { return cut.from >= cut.until; });
  return steered;
}

std::vector<NetworkCut> cuts_of(const Scenario& scenario, const Steered& steered) {
  std::vector<NetworkCut> cuts;
  for (const PartitionSection& partition : scenario.network.partitions)
    cuts.push_back({Time{} + partition.from, Time{} + partition.until});
  for (const CutByHand& cut : steered.cuts) cuts.push_back({cut.from, cut.until});
  return cuts;
}

Time healed(const Scenario& scenario) {
  Time last{};
  for (const NetworkCut& cut : cuts_of(scenario))
    if (cut.until < Time{} + scenario.engine.time_limit) last = std::max(last, cut.until);
  return last;
}

std::string steered_toml(std::span<const Cell> cells, const Outcome& outcome) {
  Cell cell = *cell_with(cells, outcome.identity.cell);
  Scenario& scenario = cell.scenario;
  const bool named_here = cells.size() == 1 && scenario.faults.lifetimes.file.empty();
  const bool expected = scenario.faults.expected;
  scenario.faults = listed(outcome.steered, scenario.engine.time_limit);
  scenario.faults.expected = expected;
  for (const CutByHand& cut : outcome.steered.cuts)
    scenario.network.partitions.push_back(partition(cut));
  std::erase_if(scenario.schedulers, [&](const SchedulerChoice& choice) {
    return choice.label != outcome.identity.label;
  });
  scenario.claims.clear();
  scenario.run.first = scenario.run.repetitions = outcome.identity.repetition + 1;
  return named_here ? replay_of({&cell, 1}).scenario : effective_toml(scenario);
}

}  // namespace rhizome::scenarios
