#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/engine/calibration.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "tools/agree/agreement.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

// "makespan=8" or "makespan=8%": 8 percent.
Margin parse_margin(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string metric = text.substr(0, equals);
  if (scenarios::find_metric(metric) == nullptr) throw UsageError(scenarios::no_metric(metric));
  std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (number.ends_with('%')) number.pop_back();
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(percent > 0) || percent >= 100)
    throw UsageError("--margin " + text + ": a margin is METRIC=PERCENT, between 0 and 100");
  return {metric, percent / 100};
}

std::vector<Margin> margins_of(const Arguments& arguments) {
  std::vector<Margin> margins = default_margins();
  for (const std::string& text : arguments.texts("margin")) {
    const Margin wanted = parse_margin(text);
    bool known = false;
    for (Margin& margin : margins)
      if (margin.metric == wanted.metric) {
        margin = wanted;
        known = true;
      }
    if (!known) margins.push_back(wanted);
  }
  return margins;
}

// The key of "key = value".
std::string key_of(const std::string& assignment) {
  std::string key = assignment.substr(0, assignment.find('='));
  std::erase(key, ' ');
  return key;
}

// Refuses keys that the command sets itself: it would override them silently.
void refuse_own_keys(const Arguments& arguments) {
  for (const std::string& text : arguments.texts("set")) {
    const std::string key = key_of(text);
    if (key == "engine.kind")
      throw UsageError("--set engine.kind has no effect: agree runs both engines");
    if (key == "run.repetitions")
      throw UsageError("--set run.repetitions has no effect here: use --repetitions");
  }
}

// Some keys, such as the time scale of threads, apply to one engine only.
bool concerns(const std::string& key, const std::string& engine) {
  for (const scenarios::Section& section : scenarios::sections())
    for (const scenarios::Condition& condition : section.conditions)
      if (section.name + "." + condition.key == key && condition.on == "kind" &&
          section.name == "engine")
        return std::ranges::find(condition.words, engine) != condition.words.end();
  return true;
}

std::vector<scenarios::Cell> cells_of(const Arguments& arguments, const std::string& engine) {
  scenarios::Overrides overrides{.schedulers = arguments.texts("scheduler")};
  if (const char* environment = std::getenv("RHIZOME_SET")) overrides.environment = environment;
  for (const std::string& text : arguments.texts("set"))
    if (concerns(key_of(text), engine)) overrides.command_line.push_back(text);
  overrides.command_line.push_back("engine.kind=" + engine);
  overrides.command_line.push_back("run.repetitions=" +
                                   std::to_string(arguments.number("repetitions", 2).value_or(10)));
  if (const auto seed = arguments.number("seed", 0))
    overrides.command_line.push_back("run.seed=" + std::to_string(*seed));
  return scenarios::load_scenario(arguments.positional().front(), overrides);
}

// Charges virtual time with what events cost on this machine, at the time scale of the threads.
void charge(std::vector<scenarios::Cell>& fast, const std::vector<scenarios::Cell>& real) {
  const core::CostModel costs = core::measure_costs(&interrupt_flag());
  warn(fmt::format("an event costs {:.1f} us, and {:.1f} us more to wake its peer",
                   core::seconds(costs.handling) * 1e6, core::seconds(costs.wake_up) * 1e6));
  for (std::size_t i = 0; i < fast.size(); ++i) {
    const double scale = real[i].scenario.engine.time_scale;
    scenarios::EngineSection& engine = fast[i].scenario.engine;
    engine.handling = core::from_seconds(core::seconds(costs.handling) * scale);
    engine.wake_up = core::from_seconds(core::seconds(costs.wake_up) * scale);
    engine.cores = costs.cores;
  }
}

Exit exit_of(Equivalence verdict) {
  if (verdict == Equivalence::equivalent) return Exit::holds;
  return verdict == Equivalence::different ? Exit::fails : Exit::inconclusive;
}

// Removes runs that ran under one engine only because of an interrupt: they cannot be compared.
void leave_out_the_lonely(std::vector<EngineRun>& runs) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, std::set<std::string>> engines;
  const auto engines_of = [&](const EngineRun& run) -> std::set<std::string>& {
    const scenarios::Identity& identity = run.figures.identity;
    return engines[{cell_text(identity), identity.label, identity.seed}];
  };
  for (const EngineRun& run : runs) engines_of(run).insert(run.figures.identity.engine);
  std::erase_if(runs, [&](const EngineRun& run) { return engines_of(run).size() < 2; });
}

// Where all packets take the same time, the replies to one query arrive at the same instant.
// Virtual time always breaks such ties in the same order, threads by chance.
bool has_ties(const std::vector<scenarios::Cell>& cells) {
  return std::ranges::any_of(cells, [](const scenarios::Cell& cell) {
    const auto& network = cell.scenario.network;
    return scenarios::latency_model(network.latency).alike && network.jitter == core::Duration{};
  });
}

// Whether threads in several processes are compared with threads in one process.
bool stands_beside_one(const Arguments& arguments) {
  if (arguments.text("beside").value_or("virtual") != "process") return false;
  if (arguments.has("calibrate"))
    throw UsageError("--calibrate has no effect here: it is for virtual time");
  if (processes_of(arguments) > 1) return true;
  throw UsageError(
      "--beside process compares several processes with one: add --processes or --hosts");
}

}  // namespace

Exit agree_command(const Arguments& arguments) {
  const std::vector<Margin> margins = margins_of(arguments);
  refuse_own_keys(arguments);
  const bool beside_one = stands_beside_one(arguments);
  const Contenders sides = beside_one ? several_beside_one() : Contenders{};
  auto reference = cells_of(arguments, beside_one ? "threads" : "virtual");
  const auto real = cells_of(arguments, "threads");
  if (reference.size() != real.size())
    throw UsageError("a sweep must concern both engines, or there is nothing to compare");
  check_before_running(reference, beside_one ? 1 : processes_of(arguments));
  check_before_running(real, processes_of(arguments));
  check_together_options(real, arguments);
  Together together(arguments, real);
  if (together.follows()) return together.follow();
  if (arguments.has("calibrate")) charge(reference, real);
  std::vector<EngineRun> runs;
  const auto run_side = [&](std::span<const scenarios::Cell> cells, const Contender& side,
                            scenarios::DistributedRun* distributed_run) {
    Commentary commentary(
        {.screen = Screen::standard_error(arguments.has("quiet")),
         .name = [&](const auto& identity) { return describe(identity) + " on " + side.name; },
         .retries = retries_of(arguments),
         .distributed_run = distributed_run});
    commentary.expect(scenarios::count_runs(cells));
    return commentary.run(cells, [&](scenarios::Outcome outcome) {
      outcome.identity.engine = side.name;
      runs.push_back({figures_of(outcome), phases_of(outcome)});
    });
  };
  const bool whole = run_side(reference, sides.reference, nullptr) &&
                     run_side(real, sides.judged, together.distributed_run());
  const std::size_t all = scenarios::count_runs(reference) + scenarios::count_runs(real);
  const std::string partial = whole ? "" : partial_text(runs.size(), all);
  leave_out_the_lonely(runs);
  const auto agreements = agree(runs, margins, sides);
  if (arguments.text("output").value_or("text") == "json")
    print_text(json_of(agreements, partial));
  else if (!agreements.empty())
    print_text(text_of(agreements, partial));
  if (!beside_one && overall(agreements) != Equivalence::equivalent && has_ties(real))
    warn(
        "packets that all take the same time arrive at the same instant, always in the same order "
        "in virtual time and by chance on threads: network.latency = \"lognormal\" tells whether "
        "that makes the difference");
  return whole ? exit_of(overall(agreements)) : Exit::interrupted;
}

}  // namespace rhizome::tools
