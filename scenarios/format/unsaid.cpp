#include "scenarios/format/unsaid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "agents/pace.hpp"
#include "scenarios/text/duration_text.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view rule_of_limit =
    "Left unsaid in virtual time: four times as long as the jobs take to arrive and all peers "
    "together to do the work, where that is longer.";

// Jobs arrive, and then all peers do nothing but work; a task of several processors counts as
// often, as if all were as large.
double seconds_of_work(const agents::World& world) {
  const agents::Profile& profile = world.profile;
  return core::seconds(profile.last) +
         profile.work * std::max(1U, profile.largest.cpus) / power_of(world);
}

bool is_time(const core::Setting& setting) { return setting.kind == core::SettingKind::duration; }

bool follows(const agents::Scheduler& scheduler, const core::Setting& setting) {
  return is_time(setting) || scheduler.times.contains(setting.name);
}

void complete(SchedulerChoice& choice, const agents::World& world) {
  void* options = choice.scheduler->address(choice.options);
  for (const core::Setting& setting : choice.scheduler->settings) {
    if (choice.said.contains(setting.name) || !follows(*choice.scheduler, setting)) continue;
    const agents::TimeFor use = choice.scheduler->use_of(setting.name);
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
  if (section.name != "engine") return {};
  if (setting.name == "time_limit") return rule_of_limit;
  return setting.name == "grace" ? agents::rule_of(agents::TimeFor::recovery) : std::string_view();
}

bool limit_follows(const Scenario& scenario) {
  return !scenario.said.contains("engine.time_limit") &&
         !core::engine_of(scenario.engine.kind).real_time;
}

double power_of(const agents::World& world) {
  double power = 0;
  for (const agents::Capacity& peer : world.capacities) power += peer.speed * peer.slots;
  return power;
}

Scenario complete(Scenario scenario, const agents::World& world) {
  for (SchedulerChoice& choice : scenario.schedulers) complete(choice, world);
  EngineSection& engine = scenario.engine;
  if (!scenario.said.contains("engine.grace")) engine.grace = agents::in_pace(engine.grace, world);
  if (limit_follows(scenario))
    engine.time_limit =
        std::max(engine.time_limit, core::from_seconds(std::ceil(4 * seconds_of_work(world))));
  return scenario;
}

std::string remark_on_pace(const agents::World& world) {
  const double pace = agents::pace_of(world);
  if (pace <= 1) return {};
  const std::string why =
      agents::waits_for_packets(world)
          ? "a packet may take " + rough_text(world.longest_delay) + " on its way"
          : fmt::format("a task takes {:.4g} s on average", world.profile.mean_task());
  return fmt::format("time-outs left unsaid are {:.3g} times as long as by default: {}", pace, why);
}

}  // namespace rhizome::scenarios
