#include "scenarios/format/unsaid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "agents/pace.hpp"
#include "scenarios/format/client_keys.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/world/network/queueing.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view rule_of_crashes =
    "If it is not set and that is less than a hundredth of the time that the work takes at least: "
    "that time, which is the later of the last arrival and the time in which all peers together do "
    "the work.";

constexpr std::string_view rule_of_limit =
    "If it is not set in virtual time: if that is longer, four times the sum of the last arrival, "
    "of the time in which all peers together do the work, of the time in which the slowest peer "
    "does "
    "the longest task, or the longest chain of tasks that need each other, and of that in which "
    "the "
    "slowest line passes the work.";

// How many tasks as large as the largest a peer has room for at a time; 0 where it has no room.
double at_once(const agents::Capacity& peer, const agents::Resources& largest) {
  const agents::Resources room = peer.room();
  if (!largest.within(room)) return 0;
  double count = peer.slots / std::max(1U, largest.cpus);
  if (largest.memory > 0) count = std::min(count, std::floor(room.memory / largest.memory));
  for (std::size_t name = 0; name < agents::Amounts::most_names; ++name)
    if (largest.named.at(name) > 0)
      count = std::min<double>(count, room.named.at(name) / largest.named.at(name));
  return count;
}

// For each peer the share of a processor that a task has while all of its group are at work.
std::vector<double> shares_of(const PeersSection& peers) {
  std::vector<double> shares(peers.count, 1);
  std::size_t next = 0;
  for (const PeerGroupSection& group : peers.groups) {
    const std::size_t end = std::min<std::size_t>(next + group.count, peers.count);
    const std::uint32_t each =
        group.slots > 0 ? group.slots : std::max(peers.slots, peers.slots_max);
    const double slots = each * static_cast<double>(end - next);
    for (; next < end; ++next)
      if (group.shares()) shares[next] = std::min(1.0, group.cores / slots);
  }
  return shares;
}

// Estimated in three steps: the last job arrives; then all peers only work, each with as many tasks
// at a time as it could hold if all were as large as the largest of each measure; then the slowest
// peer does what cannot be divided. If the largest measures of different tasks together fit no
// peer, one peer does everything.
double seconds_of_work(const Scenario& scenario, const agents::World& world) {
  const agents::Profile& profile = world.profile;
  const std::vector<double> shares = shares_of(scenario.peers);
  double slowest = world.capacities.front().speed * shares.front();
  double power = 0;
  for (std::size_t i = 0; i < world.capacities.size(); ++i) {
    const double speed = world.capacities[i].speed * shares[i];
    slowest = std::min(slowest, speed);
    power += speed * at_once(world.capacities[i], profile.largest);
  }
  const double chain = core::seconds(profile.indivisible());
  return core::seconds(profile.last) + profile.work / std::max(power, slowest) + chain / slowest;
}

// No run in which all work is done is shorter, in seconds.
double least_span(const agents::World& world) {
  return std::max(core::seconds(world.profile.last.time_since_epoch()),
                  world.profile.processor_work / power_of(world));
}

bool is_time(const core::Setting& setting) { return setting.kind == core::SettingKind::duration; }

bool follows(const agents::Scheduler& scheduler, const core::Setting& setting) {
  return is_time(setting) || scheduler.times.contains(setting.name);
}

void complete(SchedulerChoice& choice, const agents::World& world) {
  void* options = choice.scheduler->address(choice.options);
  for (const core::Setting& setting : choice.scheduler->settings) {
    if (choice.said.contains(setting.name) || !follows(*choice.scheduler, setting)) continue;
    const agents::TimeoutPurpose use = choice.scheduler->use_of(setting.name);
    const core::SettingValue unsaid = setting.read(options);
    if (is_time(setting))
      setting.assign(options, agents::in_pace(std::get<Duration>(unsaid), world, use));
    else
      setting.assign(options, agents::in_pace(std::get<std::int64_t>(unsaid), world, use));
  }
}

}  // namespace

std::string_view rule_of_unsaid(const agents::Scheduler& scheduler, const core::Setting& setting) {
  if (!follows(scheduler, setting)) return {};
  return agents::rule_of(scheduler.use_of(setting.name));
}

std::string_view rule_of_unsaid(const Section& section, const core::Setting& setting) {
  if (section.name == "client")
    return setting.name == "timeout" || setting.name == "settle"
               ? agents::rule_of(agents::TimeoutPurpose::recovery)
               : std::string_view();
  if (section.name == "faults" && setting.name == "crash_until") return rule_of_crashes;
  if (section.name != "engine") return {};
  if (setting.name == "time_limit") return rule_of_limit;
  return setting.name == "grace" ? agents::rule_of(agents::TimeoutPurpose::recovery)
                                 : std::string_view();
}

bool limit_follows(const Scenario& scenario) {
  return !scenario.said.contains("engine.time_limit") &&
         !core::engine_of(scenario.engine.kind).real_time;
}

bool measures_overlays_alone(const Scenario& scenario) {
  return std::ranges::all_of(scenario.schedulers, [](const SchedulerChoice& choice) {
    return choice.scheduler->name == "overlay-only";
  });
}

double power_of(const agents::World& world) {
  double power = 0;
  for (const agents::Capacity& peer : world.capacities) power += peer.speed * peer.slots;
  return power;
}

bool hardly_begun(core::Duration at, const agents::World& world) {
  constexpr double share = 0.01;
  return world.profile.tasks > 0 && core::seconds(at) < share * least_span(world);
}

Scenario complete(Scenario scenario, const agents::World& world) {
  for (SchedulerChoice& choice : scenario.schedulers) complete(choice, world);
  EngineSection& engine = scenario.engine;
  for (const auto& [key, time] : {std::pair{"client.timeout", &ClientSection::timeout},
                                  std::pair{"client.settle", &ClientSection::settle}})
    if (!scenario.said.contains(key))
      scenario.client.*time = agents::in_pace(scenario.client.*time, world);
  apply_client(scenario);
  if (!scenario.said.contains("engine.grace")) engine.grace = agents::in_pace(engine.grace, world);
  FaultsSection& faults = scenario.faults;
  if (!scenario.said.contains("faults.crash_until") && hardly_begun(faults.crash_until, world))
    faults.crash_until = core::from_seconds(std::ceil(least_span(world)));
  if (limit_follows(scenario))
    engine.time_limit =
        std::max(engine.time_limit,
                 core::from_seconds(std::ceil(4 * (seconds_of_work(scenario, world) +
                                                   seconds_on_line(scenario, world.profile)))));
  return scenario;
}

std::string remark_on_pace(const agents::World& world) {
  const double pace = agents::pace_of(world);
  if (pace <= 1) return {};
  const std::string why =
      agents::waits_for_packets(world)
          ? "a packet may take " + rough_text(world.longest_way()) + " on its way"
          : "a task takes " + rough_text(core::from_seconds(world.profile.mean_task())) +
                " on average";
  return fmt::format("time-outs that are not set are {} times as long as by default: {}",
                     pace < 100 ? fmt::format("{:.3g}", pace) : fmt::format("{:.0f}", pace), why);
}

}  // namespace rhizome::scenarios
