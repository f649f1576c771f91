#include "scenarios/experiment/in_time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agents/bounds/greedy.hpp"
#include "agents/file_options.hpp"
#include "core/engine/catalogue.hpp"
#include "core/peer/rate.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/world/network/queueing.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

bool promises(const Scenario& scenario, const Surroundings& around, const SchedulerChoice& choice) {
  return choice.scheduler->in_time.times > 0 && choice.scheduler->keeps_time(choice.options) &&
         !around.world.live && !core::engine_of(scenario.engine.kind).real_time &&
         scenario.run.duration == Duration::zero() && around.faults.empty() &&
         !around.world.provisioned && !around.world.loses && scenario.network.duplication == 0;
}

// The capacities of peers whose group shares processors, with all of the group at work.
std::vector<agents::Capacity> slowed(const Surroundings& around) {
  std::vector<agents::Capacity> peers = around.world.capacities;
  for (const core::ProcessorGroup& group : around.groups) {
    double wanted = 0;
    for (const core::PeerId peer : group.peers) wanted += peers.at(peer.value).slots;
    for (const core::PeerId peer : group.peers)
      peers.at(peer.value).speed *= std::min(1.0, group.cores / wanted);
  }
  return peers;
}

class Promise {
 public:
  Promise(const Scenario& scenario, const Surroundings& around, const SchedulerChoice& choice)
      : scenario_(scenario),
        world_(around.world),
        choice_(choice),
        lines_(slowest_lines(scenario.network, scenario.peers)),
        beside_(4 * core::seconds(world_.longest_delay) +
                core::seconds(choice.scheduler->waits(choice.options, world_))),
        peers_(slowed(around)) {}

  // A run that ends at its limit breaks no promise of a later time.
  [[nodiscard]] Duration end() const {
    const WorkloadSection& section = scenario_.workload;
    const auto jobs =
        workload_model(section.kind).open(section, core::Rng::derive({world_.seed}, "workload"));
    double lines = 0;
    const core::Time greedy = agents::bounds::greedy_end(
        *jobs, peers_,
        [&](const agents::Task& task) {
          const double passage = on_lines(task);
          lines += passage + handling();
          return core::from_seconds(beside_ + passage);
        },
        core::Time{} + scenario_.engine.time_limit);
    const double turns = 1 + world_.profile.graphs.depth;
    return core::from_seconds(choice_.scheduler->in_time.times * (core::seconds(greedy) + lines) +
                              slowest() + turns * periods());
  }

 private:
  [[nodiscard]] double slowest() const {
    const agents::Profile& profile = world_.profile;
    const Duration indivisible = profile.indivisible();
    const auto peer = std::ranges::min_element(
        peers_, [](const auto& a, const auto& b) { return a.speed < b.speed; });
    return core::seconds(indivisible) / peer->speed;
  }
  [[nodiscard]] double on_lines(const agents::Task& task) const {
    std::uint64_t bytes = 10 * core::header_bytes + task.brings.bytes + task.gives +
                          scenario_.workload.payload + scenario_.workload.result_payload +
                          scenario_.files.output;
    for (const FileInputSection& input : scenario_.files.inputs) bytes += input.size;
    double time = 0;
    for (const core::Rate line : lines_) time += core::seconds(core::time_for(bytes, line));
    return time;
  }
  [[nodiscard]] double handling() const {
    return 20 * core::seconds(scenario_.engine.handling + scenario_.engine.wake_up);
  }
  [[nodiscard]] double periods() const {
    std::any options = choice_.options;
    const void* address = choice_.scheduler->address(options);
    double sum = world_.files.used ? core::seconds(world_.files.patience) : 0;
    for (const core::Setting& setting : choice_.scheduler->settings)
      if (setting.kind == core::SettingKind::duration)
        sum += core::seconds(std::get<Duration>(setting.read(address)));
    return 2 * sum + 20 * core::seconds(world_.longest_delay);
  }

  const Scenario& scenario_;
  const agents::World& world_;
  const SchedulerChoice& choice_;
  const std::vector<core::Rate> lines_;
  const double beside_;  // seconds for each task
  const std::vector<agents::Capacity> peers_;
};

}  // namespace

Duration promised_end(const Scenario& scenario, const Surroundings& around,
                      const SchedulerChoice& choice) {
  constexpr Duration latest{std::int64_t{1} << 61U};  // 73 years, which no run lasts
  if (!promises(scenario, around, choice)) return Duration::zero();
  return std::min(latest, Promise(scenario, around, choice).end());
}

}  // namespace rhizome::scenarios
