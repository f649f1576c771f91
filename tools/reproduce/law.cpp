#include "tools/reproduce/law.hpp"

#include <array>

#include "agents/discipline.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/reproduce/queues.hpp"

namespace rhizome::tools {

namespace {

constexpr std::array<Law, 4> known{
    {{"mg1", false, true,
      [](const QueueSystem& s) { return mg1_response(s.sizes, s.discipline, s.load); }},
     {"mmn", false, false, [](const QueueSystem& s) { return mmn_response(s.servers, s.load); }},
     {"power-of-choices", true, false,
      [](const QueueSystem& s) { return power_of_choices_response(s.choices, s.load); }},
     {"least-loaded", true, false,
      [](const QueueSystem& s) { return least_loaded_response(s.choices, s.load); }}}};

void need(bool fine, const std::string& what, const Position& at) {
  if (!fine) refuse(at, "this law needs a study with " + what);
}

void check_workload(const WorkloadSection& workload, const Law& law, const Position& at) {
  need(workload_model(workload.kind).word == "generated" && workload.portions == 1,
       "jobs of one task", at);
  if (law.general)
    need(workload.portion_distribution != PortionKind::uniform, "exponential or Pareto durations",
         at);
  else
    need(workload.portion_distribution == PortionKind::exponential, "exponential durations", at);
  need(workload.arrivals == ArrivalKind::exponential && workload.spacing > Duration::zero(),
       "exponential arrivals", at);
}

void check_peers(const PeersSection& peers, const Law& law, const Position& at) {
  const std::string_view discipline = agents::discipline_of(peers.discipline).name;
  if (law.general)
    need(has_mg1_law(discipline), "the discipline fcfs, ps, srpt or las", at);
  else
    need(discipline == "fcfs", "the discipline fcfs", at);
  need(peers.slots == 1 && peers.slots_max <= 1, "peers of one slot", at);
  need(peers.speed_min == peers.speed_max, "peers of one speed", at);
}

std::uint32_t probes_of(const SchedulerChoice& choice, const Position& at) {
  std::any options = choice.options;
  for (const core::Setting& setting : choice.scheduler->settings)
    if (setting.name == "probes")
      return static_cast<std::uint32_t>(
          std::get<std::int64_t>(setting.read(choice.scheduler->address(options))));
  refuse(at, "this law needs a scheduler with probes, unlike \"" + choice.label + "\"");
}

const SchedulerChoice& choice_of(const Scenario& scenario, const std::string& label,
                                 const Position& at) {
  for (const SchedulerChoice& choice : scenario.schedulers)
    if (choice.label == label) return choice;
  refuse(at, "the study has no scheduler \"" + label + "\"");
}

// Requires that only work takes time, and that all peers stay.
void check_calm(const Scenario& scenario, const Position& at) {
  const NetworkSection& network = scenario.network;
  need(latency_model(network.latency).word == "none" && network.loss <= 0 &&
           network.duplication <= 0 && network.partitions.empty() &&
           network.bandwidth_up == core::Rate{} && network.bandwidth_down == core::Rate{},
       "neither delays nor losses", at);
  need(scenario.engine.wake_up.count() == 0 && scenario.engine.handling.count() == 0,
       "events that cost nothing", at);
  const FaultsSection& faults = scenario.faults;
  need(faults.crash_share <= 0 && faults.events.empty() && faults.masses.empty() &&
           faults.machines.empty() && faults.lifetimes.distribution == LifetimeKind{},
       "peers that stay", at);
}

}  // namespace

std::span<const Law> laws() { return known; }

const Law* find_law(const std::string& name) {
  for (const Law& law : known)
    if (law.name == name) return &law;
  return nullptr;
}

bool covers(const std::string& metric) {
  return metric == "mean_response" || metric == "mean_queueing";
}

double expected(const Law& law, const std::string& metric, const QueueSystem& system) {
  const double served = metric == "mean_response" ? 0 : 1;
  return system.service * (law.response(system) - served);
}

QueueSystem system_of(const Scenario& scenario, const Law& law, const std::string& label,
                      const Position& at) {
  check_workload(scenario.workload, law, at);
  check_peers(scenario.peers, law, at);
  check_calm(scenario, at);
  QueueSystem system{.servers = scenario.peers.count};
  system.service = core::seconds(scenario.workload.portion_time) / scenario.peers.speed_min;
  system.load = system.service / (system.servers * core::seconds(scenario.workload.spacing));
  need(system.load < 1, "a load below 1", at);
  const WorkloadSection& workload = scenario.workload;
  if (workload.portion_distribution == PortionKind::pareto)
    system.sizes.pareto = scenarios::BoundedPareto(workload.portion_shape, workload.portion_range);
  system.discipline = agents::discipline_of(scenario.peers.discipline).name;
  const SchedulerChoice& choice = choice_of(scenario, label, at);
  if (law.chooses) system.choices = probes_of(choice, at);
  return system;
}

}  // namespace rhizome::tools
