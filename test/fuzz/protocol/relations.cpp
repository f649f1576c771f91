#include "test/fuzz/protocol/relations.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/world/network/latencies.hpp"

namespace rhizome::fuzz {

namespace {

using core::Duration;
using scenarios::Cell;
using scenarios::Outcome;
using scenarios::Scenario;

// The outcome without its names and its real time.
Outcome nameless(Outcome outcome) {
  outcome.identity = {};
  outcome.wall = {};
  return outcome;
}

Outcome run(const Cell& cell, std::size_t scheduler = 0, std::uint32_t repetition = 0) {
  return nameless(scenarios::run_once(cell, scheduler, repetition, {}, nullptr));
}

// The scenario with all times set that would follow the workload.
Scenario said(const Scenario& scenario) {
  const auto around =
      scenarios::make_surroundings(scenario, scenarios::repetition_seed(scenario, 0));
  Scenario whole = scenarios::complete(scenario, around.world);
  for (scenarios::SchedulerChoice& choice : whole.schedulers)
    for (const core::Setting& setting : choice.scheduler->settings)
      choice.said.insert(setting.name);
  whole.said.insert({"engine.time_limit", "engine.grace"});
  return whole;
}

scenarios::LatencyKind constant_latency() {
  const auto models = scenarios::latency_models();
  const auto constant = std::find_if(models.begin(), models.end(),
                                     [](const auto& model) { return model.word == "constant"; });
  return static_cast<scenarios::LatencyKind>(constant - models.begin());
}

// Times that can be halved and doubled: tasks are of one length, delays too, and lines and files,
// whose bytes take parts of a nanosecond, are left out. A few thousand tasks of so many nanoseconds
// stay within the limit.
Scenario exact(Scenario scenario) {
  constexpr std::int64_t unit = 1024;
  const auto rounded = [](Duration time) {
    return Duration((time.count() + unit - 1) / unit * unit);
  };
  scenario.peers.speed_min = 0.5;
  scenario.peers.speed_max = 2;
  scenario.peers.speeds = scenarios::SpeedKind::two_class;
  scenario.workload.jitter = 0;
  scenario.workload.portion_distribution = scenarios::PortionKind::uniform;
  scenario.workload.arrivals = scenarios::ArrivalKind::constant;
  scenario.workload.portion_time = rounded(scenario.workload.portion_time);
  scenario.workload.payload = scenario.workload.result_payload = 0;
  scenario.files = {};
  auto& network = scenario.network;
  network.bandwidth_up = network.bandwidth_up_max = {};
  network.bandwidth_down = network.bandwidth_down_max = {};
  network.delay = rounded(network.delay);
  network.jitter = {};
  if (network.latency != scenarios::LatencyKind{}) network.latency = constant_latency();
  return scenario;
}

// The times within a text such as the models "10/5s/0.5s 4/1s/2s" of a coordinator, twice as long.
std::string with_times_doubled(const std::string& text) {
  std::string doubled;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("/ ", begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const auto time = scenarios::parse_duration(part);
    doubled += time ? std::to_string(2 * std::chrono::duration<double>(*time).count()) + "s" : part;
    if (end < text.size()) doubled += text[end];
    begin = end + 1;
  }
  return doubled;
}

void double_times(const std::vector<core::Setting>& settings, void* object) {
  for (const core::Setting& setting : settings) {
    const core::SettingValue value = setting.read(object);
    if (setting.kind == core::SettingKind::duration)
      setting.assign(object, 2 * std::get<Duration>(value));
    if (setting.kind == core::SettingKind::text)
      setting.assign(object, with_times_doubled(std::get<std::string>(value)));
  }
}

Scenario with_twice_the_times(Scenario scenario) {
  for (const scenarios::Section& section : scenarios::sections()) {
    const std::size_t count = section.repeated ? section.count(scenario) : 1;
    for (std::size_t i = 0; i < count; ++i)
      double_times(section.settings, section.address(scenario, i));
  }
  for (scenarios::SchedulerChoice& choice : scenario.schedulers)
    double_times(choice.scheduler->settings, choice.scheduler->address(choice.options));
  return scenario;
}

// Some settings are work besides tasks: peers of vector measure themselves and plan, and those of a
// coordinator load models and have expected times of a query.
bool is_work(std::string_view setting) {
  return setting == "benchmark" || setting == "overhead" || setting == "models";
}

Scenario with_twice_the_speeds(Scenario scenario) {
  scenario.peers.speed_min *= 2;
  scenario.peers.speed_max *= 2;
  scenario.workload.portion_time *= 2;
  for (scenarios::SchedulerChoice& choice : scenario.schedulers)
    for (const core::Setting& setting : choice.scheduler->settings)
      if (is_work(setting.name)) double_times({setting}, choice.scheduler->address(choice.options));
  return scenario;
}

class Relations {
 public:
  explicit Relations(Cell cell) : cell_(std::move(cell)) {}

  std::vector<Failure> broken() {
    const Cell simple{{}, said(exact(cell_.scenario)), {}};
    const Outcome outcome = run(simple);
    check_times(simple, outcome);
    check_speeds(simple, outcome);
    check_order();
    check_at_once();
    return std::move(broken_);
  }

 private:
  void add(const std::string& relation, std::string text) {
    broken_.push_back({"relation of " + relation, std::move(text)});
  }

  void check_times(const Cell& simple, const Outcome& once) {
    const Outcome twice = run({{}, with_twice_the_times(simple.scenario), {}});
    const Duration expected = 2 * makespan_of(once).end.time_since_epoch();
    const Duration found = makespan_of(twice).end.time_since_epoch();
    if (std::chrono::abs(found - expected) <= tolerance()) return;
    add("times", "with all times twice as long the last result comes after " +
                     std::to_string(found.count()) + " ns instead of " +
                     std::to_string(expected.count()) + " ns");
  }
  // A scheduler without times of its own draws none.
  [[nodiscard]] Duration tolerance() const {
    const auto& settings = cell_.scenario.schedulers.front().scheduler->settings;
    const bool timed = std::any_of(settings.begin(), settings.end(), [](const auto& setting) {
      return setting.kind == core::SettingKind::duration;
    });
    return timed ? std::chrono::microseconds(1) : Duration::zero();
  }

  void check_speeds(const Cell& simple, const Outcome& slow) {
    const Outcome fast = run({{}, with_twice_the_speeds(simple.scenario), {}});
    for (std::size_t i = 0; i < std::max(slow.tasks.size(), fast.tasks.size()); ++i) {
      if (i < slow.tasks.size() && i < fast.tasks.size() && alike(slow.tasks[i], fast.tasks[i]))
        continue;
      add("speeds", "with tasks twice as long and peers twice as fast, task number " +
                        std::to_string(i) + " has another course");
      return;
    }
  }
  static bool alike(const scenarios::TaskOutcome& a, scenarios::TaskOutcome b) {
    b.duration = a.duration;
    return a == b;
  }

  // Compares it beside other schedulers that survive as much as one that needs every peer.
  void check_order() {
    Cell first = cell_;
    scenarios::SchedulerChoice other;
    other.scheduler = agents::find_scheduler("round-robin");
    other.label = "another";
    other.options = other.scheduler->defaults();
    first.scenario.schedulers.push_back(other);
    Cell second = first;
    std::swap(second.scenario.schedulers[0], second.scenario.schedulers[1]);
    second.scenario.schedulers[1].label = "called otherwise";
    try {
      if (run(first, 0) != run(second, 1))
        add("order", "after another scheduler, and under another name, the run is another");
    } catch (const scenarios::InputError&) {
      // The other one cannot have this world.
    }
  }

  void check_at_once() {
    Cell cell = cell_;
    cell.scenario.run.repetitions = 3;
    std::vector<Outcome> alone;
    for (std::uint32_t i = 0; i < cell.scenario.run.repetitions; ++i)
      alone.push_back(run(cell, 0, i));
    cell.scenario.engine.at_once = 3;
    if (together(cell, {{}}) != alone)
      add("at once", "three runs that go on at once are others than one after another");
    if (together(cell, {{0, 2}, {1, 2}}, 2) != alone)
      add("at once", "runs of two shares are others than those of the whole");
  }
  static std::vector<Outcome> together(const Cell& cell,
                                       const std::vector<scenarios::RunShare>& shares,
                                       std::size_t stride = 1) {
    std::vector<Outcome> all(cell.scenario.run.repetitions);
    for (const scenarios::RunShare& share : shares) {
      std::size_t next = share.index;
      scenarios::ExperimentHooks hooks;
      hooks.outcome = [&](Outcome&& outcome) {
        if (next < all.size()) all[next] = nameless(std::move(outcome));
        next += stride;
      };
      static_cast<void>(scenarios::run_experiment(std::span(&cell, 1), hooks, {.share = share}));
    }
    return all;
  }

  const Cell cell_;
  std::vector<Failure> broken_;
};

}  // namespace

Verdict judge_relations(const std::string& scenario) {
  try {
    return {
        .refusal = {},
        .failures = Relations(scenarios::parse_scenario(scenario, "fuzz.toml").front()).broken()};
  } catch (const scenarios::InputError& error) {
    return {.refusal = error.what(), .failures = {}};
  } catch (const std::exception& error) {
    return {.refusal = {}, .failures = {{"exception", error.what()}}};
  }
}

}  // namespace rhizome::fuzz
