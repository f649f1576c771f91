#include "scenarios/experiment/effort.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <any>
#include <array>
#include <optional>
#include <string_view>

#include "agents/dispatcher/options.hpp"
#include "core/engine/catalogue.hpp"
#include "scenarios/format/unsaid.hpp"

namespace rhizome::scenarios {

namespace {

// A cost: events, and microseconds to handle all of them.
struct Cost {
  double events = 0;
  double microseconds = 0;
  friend Cost operator+(Cost a, Cost b) {
    return {a.events + b.events, a.microseconds + b.microseconds};
  }
  friend Cost operator*(double times, Cost cost) {
    return {times * cost.events, times * cost.microseconds};
  }
};

// An activity that repeats with the period of an option: at every peer, or for every task while it
// runs or while it waits.
enum class Whose : std::uint8_t { peer, task, waiting };
struct Beat {
  std::string_view scheduler;
  std::string_view key;
  Whose whose;
  Cost cost;
  std::string_view unless_view = "";  // values of the option `view` without the activity
  std::string_view rest = "";         // the option that makes half of it rarer
  bool against_loss = false;          // only where messages or peers may be lost
};

// Measured, as the header tells. A time-out has four heartbeats: a timer, a sign and its answer.
constexpr std::array beats{
    Beat{"organic-grid", "timeout", Whose::peer, {15, 11}},
    Beat{"hybrid", "timeout", Whose::peer, {15, 10}},
    Beat{"air-traffic", "timeout", Whose::peer, {12, 24}, "", "rest"},
    Beat{"sparrow", "detector_round", Whose::peer, {1, 0.5}},
    Beat{"sparrow", "detector_round", Whose::task, {12, 7}},
    Beat{"sparrow", "shuffle_period", Whose::peer, {3, 4}, "graph"},
    Beat{"sparrow", "shuffle_period", Whose::peer, {3, 10}, "graph cyclon"},
    Beat{"vector", "tick", Whose::peer, {1.5, 1.5}},
    Beat{"vector", "report", Whose::peer, {3, 4}},
    Beat{"vector", "tick", Whose::waiting, {3, 2}},
    Beat{"dispatcher", "keep_alive", Whose::task, {4, 3}, "", "", true},
    Beat{"master-worker", "ping_period", Whose::peer, {2, 1.5}},
    Beat{"master-worker", "ping_period", Whose::peer, {7, 5}, "", "", true},
    Beat{"coordinator", "ping_period", Whose::peer, {2, 1.5}},
    Beat{"coordinator", "ping_period", Whose::peer, {9, 6}, "", "", true},
    Beat{"overlay-only", "period", Whose::peer, {6, 10}},
    Beat{"cyclon", "period", Whose::peer, {6, 10}},
    Beat{"t-man", "period", Whose::peer, {6, 10}},
};

struct Handling {
  std::string_view scheduler;
  Cost cost;
};
constexpr std::array tasks{Handling{"round-robin", {6, 6}},   Handling{"omniscient", {6, 10}},
                           Handling{"sparrow", {40, 30}},     Handling{"dispatcher", {4, 3}},
                           Handling{"master-worker", {5, 3}}, Handling{"coordinator", {4, 3}}};
constexpr Cost usual_task{30, 30};
constexpr Cost inquiry{2, 1.2};  // a question to a server, and its answer
constexpr Cost migration{3, 8};  // of a task to another peer, by the option `moves`

Cost cost_of_task(std::string_view scheduler) {
  const auto known = std::ranges::find_if(
      tasks, [&](const Handling& handling) { return handling.scheduler == scheduler; });
  return known == tasks.end() ? usual_task : known->cost;
}

// Servers that are asked before a task is placed.
double asked_for_a_task(const SchedulerChoice& choice, const agents::World& world) {
  const auto* options = std::any_cast<agents::dispatching::Options>(&choice.options);
  if (options == nullptr) return 0;
  if (options->chooses_among_all())
    return static_cast<double>(agents::dispatching::servers_of(*options, world).size());
  return options->samples() ? options->choices : 0;
}

std::optional<core::SettingValue> option(SchedulerChoice& choice, std::string_view key) {
  for (const core::Setting& setting : choice.scheduler->settings)
    if (setting.name == key) return setting.read(choice.scheduler->address(choice.options));
  return {};
}

bool rests(const Beat& beat, SchedulerChoice& choice, const agents::World& world) {
  if (beat.against_loss && !world.loses) return true;
  const auto view = option(choice, "view");
  return view && !beat.unless_view.empty() &&
         beat.unless_view.find(std::get<std::string>(*view)) != std::string_view::npos;
}

// Peers at rest repeat more rarely.
Cost beat_of(const Beat& beat, SchedulerChoice& choice) {
  if (beat.rest.empty()) return beat.cost;
  const auto times = std::get<std::int64_t>(option(choice, beat.rest).value());
  const double share = 0.5 + 0.5 / static_cast<double>(times);
  return {share * beat.cost.events, share * share * beat.cost.microseconds};
}

// The time from the first arrival on, or for which a run is open; at most the limit. A list
// schedule of tasks that need each other takes at most the sum of both bounds (Graham 1969), and
// most take nearly as much.
double span_of(const Scenario& scenario, const agents::World& world) {
  if (scenario.run.duration > Duration::zero()) return core::seconds(scenario.run.duration);
  const agents::Profile& profile = world.profile;
  const double chain = core::seconds(profile.indivisible());
  const double share = profile.work / power_of(world);
  const double rest = profile.graphs.edges > 0 ? chain + share : std::max(chain, share);
  return std::min(core::seconds(profile.last) + rest, core::seconds(scenario.engine.time_limit));
}

// An overlay without work runs until it is measured, after so many cycles.
double span_under(SchedulerChoice& choice, double span) {
  const auto cycles = option(choice, "cycles");
  const auto period = option(choice, "period");
  if (!cycles || !period) return span;
  const auto count = static_cast<double>(std::get<std::int64_t>(*cycles));
  return std::max(span, count * core::seconds(std::get<Duration>(*period)));
}

// How often a task moves. Where it may begin before its last move, most do so before they have
// stayed at one peer more than they wait for other work.
double moves_of(SchedulerChoice& choice, double span) {
  const auto moves = option(choice, "moves");
  if (!moves) return 0;
  const auto most = static_cast<double>(std::get<std::int64_t>(*moves));
  const auto early = option(choice, "begin_early");
  if (!early || !std::get<bool>(*early)) return most;
  const double stay = core::seconds(std::get<Duration>(option(choice, "stay").value()));
  return stay > 0 ? std::min(most, 1 + span / stay) : most;
}

// The time for which tasks wait, all together, where all of the work that does not need other work
// is there at once; else as much less as its arrivals are spread.
double waiting_of(const agents::World& world) {
  const agents::Profile& profile = world.profile;
  if (profile.graphs.edges > 0 || profile.tasks == 0) return 0;
  const double arrivals = core::seconds(profile.last - profile.first);
  const double backlog = std::max(0.0, profile.work / power_of(world) - arrivals);
  return static_cast<double>(profile.tasks) * backlog / 2;
}

Effort effort_of(SchedulerChoice choice, double span, const agents::World& world) {
  const std::string_view name = choice.scheduler->name;
  span = span_under(choice, span);
  Cost all = static_cast<double>(world.profile.tasks) *
             (cost_of_task(name) + asked_for_a_task(choice, world) * inquiry);
  all = all + static_cast<double>(world.profile.tasks) * moves_of(choice, span) * migration;
  for (const Beat& beat : beats) {
    if (beat.scheduler != name || rests(beat, choice, world)) continue;
    const double period = core::seconds(std::get<Duration>(option(choice, beat.key).value()));
    const double lives = beat.whose == Whose::peer   ? span * world.peers()
                         : beat.whose == Whose::task ? world.profile.work
                                                     : waiting_of(world);
    if (period > 0) all = all + (lives / period) * beat_of(beat, choice);
  }
  return {choice.label, all.events, core::from_seconds(all.microseconds * 1e-6)};
}

// Two figures, as there is no more in it.
std::string count_text(double count) {
  if (count < 1e4) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.0f},000", count / 1e3);
  if (count < 1e7) return fmt::format("{:.1f} million", count / 1e6);
  if (count < 1e10) return fmt::format("{:.0f} million", count / 1e6);
  return fmt::format("{:.0f} thousand million", count / 1e9);
}

// "0.4 s", "21 s", "12 min", "3 h".
std::string time_text(core::Duration time) {
  const double seconds = core::seconds(time);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

}  // namespace

std::vector<Effort> efforts_of(const Scenario& scenario, const agents::World& world) {
  std::vector<Effort> efforts;
  if (core::engine_of(scenario.engine.kind).real_time) return efforts;
  const double span = span_of(scenario, world);
  for (const SchedulerChoice& choice : scenario.schedulers)
    efforts.push_back(effort_of(choice, span, world));
  return efforts;
}

std::string text_of(const Effort& effort) { return text_of(effort, effort); }

std::string text_of(const Effort& least, const Effort& most) {
  const auto range = [](const std::string& from, const std::string& to) {
    return from == to ? to : from + " to " + to;
  };
  return fmt::format("about {} events, {}, within a factor of {:.0f}",
                     range(count_text(least.events), count_text(most.events)),
                     range(time_text(least.processor), time_text(most.processor)), roughness);
}

std::vector<std::string> long_runs(const std::vector<Effort>& efforts, core::Duration most) {
  std::vector<std::string> sentences;
  for (const Effort& effort : efforts)
    if (effort.processor > most)
      sentences.push_back(
          fmt::format("{}: a run takes long, {}; longer time-outs and periods, "
                      "fewer peers or a part of the workload take less",
                      effort.label, text_of(effort)));
  return sentences;
}

}  // namespace rhizome::scenarios
