#include "scenarios/experiment/world_summary.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/engine/catalogue.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/duration_text.hpp"

namespace rhizome::scenarios {

namespace {

using core::Duration;

std::string rough(double seconds) { return rough_text(core::from_seconds(seconds)); }

// The least time in which all peers together do the work, if they were busy all the time.
double busy_time(const agents::World& world) {
  return world.profile.processor_work / power_of(world);
}

// Offered load: work that arrives in a time, by what all peers together can do in it.
std::string load_text(const agents::World& world) {
  const agents::Profile& profile = world.profile;
  if (profile.processor_work <= 0 || world.live) return {};
  const double busy = busy_time(world);
  const double span = core::seconds(profile.last - profile.first);
  if (span <= 0)
    return fmt::format("all work arrives at once: all peers together need {} for it at least",
                       rough(busy));
  std::string text =
      fmt::format("offered load {:.3g}: work arrives for {}, and all peers together need {} for it",
                  busy / span, rough(span), rough(busy));
  if (busy > span) text += "; more arrives than they can do meanwhile";
  return text;
}

// On threads a run takes at least as long as its work arrives, or keeps all peers busy.
std::string real_time_text(const Scenario& scenario, const agents::World& world) {
  if (!core::engine_of(scenario.engine.kind).real_time || world.live) return {};
  const Duration planned = scenario.run.duration;
  const double least =
      planned > Duration::zero()
          ? core::seconds(planned)
          : std::max(busy_time(world), core::seconds(world.profile.last.time_since_epoch()));
  const std::size_t runs = scenario.schedulers.size() * scenario.run.repetitions;
  const double real = least / scenario.engine.time_scale;
  return fmt::format("on threads a run takes at least {}, and all {} runs take {}", rough(real),
                     runs, rough(real * static_cast<double>(runs)));
}

std::string network_text(const agents::World& world) {
  if (world.longest_delay <= Duration::zero()) return "messages take no time";
  return "nearly all messages take at most " + rough_text(world.longest_delay);
}

std::string faults_text(const Surroundings& around) {
  if (around.faults.empty()) return {};
  const auto earlier = [](const core::Fault& a, const core::Fault& b) { return a.at < b.at; };
  const auto [first, last] = std::ranges::minmax_element(around.faults, earlier);
  const auto at = [](const core::Fault& fault) { return rough_text(fault.at - core::Time{}); };
  return first->at == last->at ? "faults strike after " + at(*first)
                               : "faults strike between " + at(*first) + " and " + at(*last);
}

}  // namespace

std::vector<std::string> summary_of(const Scenario& scenario, const Surroundings& around) {
  const agents::World& world = around.world;
  const bool works = !measures_overlays_alone(scenario);
  std::vector<std::string> all;
  for (const std::string& text :
       {works ? load_text(world) : "", network_text(world), faults_text(around),
        works ? real_time_text(scenario, world) : ""})
    if (!text.empty()) all.push_back(text);
  return all;
}

}  // namespace rhizome::scenarios
