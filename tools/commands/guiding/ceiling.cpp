#include "tools/commands/guiding/ceiling.hpp"
#include "tools/cli/output.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/core.h>

#include "core/engine/limits.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/validity.hpp"
#include "scenarios/text/duration_text.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/compare/layout.hpp"

namespace rhizome::tools {

using scenarios::Cell;
using scenarios::Scenario;

namespace {

void print_limit(const std::string& reason) {
  print_text(paragraph("more: " + reason, usual_page, "    "));
}

// Trials of each ladder, besides the scenario's own value.
constexpr int most_trials = 4;

// Real time of a trial. Less is done sooner, and depends more on chance.
double seconds_of_trial(const Arguments& arguments) {
  const auto given = arguments.text("trial");
  if (!given) return 3;
  const auto duration = scenarios::parse_duration(*given);
  if (!duration || *duration < std::chrono::milliseconds(100) || *duration > std::chrono::hours(1))
    throw UsageError("--trial " + *given + ": it is a duration from 100ms to 1h");
  return core::seconds(*duration);
}

const Scenario& scenario_of(const Cell& cell) { return cell.scenario; }

std::uint32_t peers_at(const Scenario& said, int rung) {
  return static_cast<std::uint32_t>(
      std::max(2L, std::lround(static_cast<double>(said.peers.count) * factor_of(rung))));
}

// The scenario with so many peers at that pace, for as long as a trial takes.
std::vector<Cell> load(const Arguments& arguments, std::optional<std::uint32_t> peers,
                       std::optional<double> scale) {
  scenarios::Overrides overrides = overrides_of(arguments);
  auto& set = overrides.command_line;
  set.insert(set.end(), {"engine.kind=threads", "run.repetitions=1"});
  if (peers) set.push_back(fmt::format("peers.count={}", *peers));
  if (scale) {
    set.push_back(fmt::format("engine.time_scale={:.6g}", *scale));
    set.push_back(fmt::format("engine.time_limit={}ms",
                              std::lround(1000 * seconds_of_trial(arguments) * *scale)));
  }
  return scenarios::load_scenario(arguments.positional().front(), overrides);
}

}  // namespace

double factor_of(int rung) { return std::exp2(rung / 2.0); }

std::optional<int> highest_good(bool good_at_0, const std::function<bool(int)>& good) {
  int low = good_at_0 ? 0 : -rungs - 1;  // is good, or below all
  int high = good_at_0 ? rungs + 1 : 0;  // is not, or above all
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (good(middle) ? low : high) = middle;
  }
  return low < -rungs ? std::nullopt : std::optional(low);
}

Ceiling::Ceiling(const Arguments& arguments) : trial_seconds_(seconds_of_trial(arguments)) {
  const std::vector<Cell> said = load(arguments, {}, {});
  if (said.size() != 1)
    throw UsageError("doctor tries one scenario, and this is a sweep: set what it sweeps");
  const double scale = scenario_of(said.front()).engine.time_scale;
  cells_ = load(arguments, {}, scale);
  const Scenario first = scenario_of(cells_.front());
  for (int rung = -rungs; rung <= rungs; ++rung) {
    if (rung == 0) continue;
    const double faster = scale * factor_of(rung);
    by_scale_[rung] = cells_.size();
    cells_.push_back(load(arguments, {}, faster).front());
    try {
      Cell other = load(arguments, peers_at(first, rung), scale).front();
      by_peers_[rung] = cells_.size();
      cells_.push_back(std::move(other));
    } catch (const scenarios::InputError& error) {  // for example if a file sets the number
      limit_of_peers_ = error.what();
    }
  }
}

auto Ceiling::try_out(std::size_t cell, Together& together) const -> Finding {
  scenarios::Performer performer;
  if (scenarios::DistributedRun* distributed_run = together.distributed_run())
    performer = [&, distributed_run](const agents::World& world, core::EngineSetup setup,
                                     const core::Observer& observer) {
      return distributed_run->perform(
          {.cell = cell,
           .run = {},
           .world = world,
           .time_scale = scenario_of(cells_[cell]).engine.time_scale,
           .real_latency = scenarios::has_real_latency(cells_[cell].scenario)},
          std::move(setup), observer);
    };
  try {
    const core::Observer observer{.stop = &interrupt_flag()};
    const scenarios::Outcome outcome =
        scenarios::run_once(cells_[cell], 0, 0, observer, nullptr, performer);
    const scenarios::Validity& found = outcome.validity;
    return {.good = found.level == scenarios::Validity::Level::valid,
            .text = fmt::format("{}, 99 % of lags within {:.2f} ms", name_of(found.level),
                                core::seconds(found.worst_lag) * 1e3),
            .reason = found.reason};
  } catch (const scenarios::InputError& error) {
    return {.text = "impossible", .reason = error.what()};
  } catch (const core::LimitExceeded& error) {
    return {.text = "beyond a limit", .reason = error.what()};
  } catch (const core::ShareFailed& error) {
    return {.text = "failed", .reason = error.what()};
  }
}

bool Ceiling::is_good(std::size_t cell, Together& together, std::string& limit) {
  if (interrupt_flag()) return false;
  const Scenario& scenario = scenario_of(cells_[cell]);
  const Finding found = try_out(cell, together);
  std::printf("  %6u peers, x%-7.4g %s\n", scenario.peers.count, scenario.engine.time_scale,
              found.text.c_str());
  std::fflush(stdout);
  if (!found.good) limit = found.reason;
  return found.good;
}

Exit Ceiling::find(Together& together) {
  const auto processes = static_cast<std::uint32_t>(
      together.distributed_run() ? together.distributed_run()->members().size() : 1);
  const int most = 1 + 2 * most_trials;
  const Scenario& scenario = scenario_of(cells_[0]);
  const std::string plan =
      fmt::format("Trials of {} ({}) in {} process{}: at most {} runs of {:.3g} s, about {:.0f} s.",
                  scenario.name, scenario.schedulers.front().label, processes,
                  processes == 1 ? "" : "es", most, trial_seconds_, most * (trial_seconds_ + 1));
  print_text("\n" + wrapped(plan, usual_page, 2));
  std::string limit;
  const bool good = is_good(0, together, limit);
  limit_of_scale_ = limit;
  const auto scale = highest_good(
      good, [&](int rung) { return is_good(by_scale_.at(rung), together, limit_of_scale_); });
  const auto peers = highest_good(good, [&](int rung) {
    const auto cell = by_peers_.find(rung);
    return cell != by_peers_.end() && is_good(cell->second, together, limit_of_peers_);
  });
  if (interrupt_flag()) return Exit::interrupted;
  recommend(peers, scale, processes);
  return peers || scale ? Exit::holds : Exit::inconclusive;
}

void Ceiling::recommend(std::optional<int> peers, std::optional<int> scale,
                        std::uint32_t processes) const {
  const Scenario& said = scenario_of(cells_[0]);
  if (!peers && !scale)
    return print_text(
        "\nNothing that was tried is valid: the machine is busy, or the scenario too large "
        "for it.\n" +
        wrapped("What limits: " + limit_of_scale_, usual_page, 2));
  std::puts("\nRecommended, the largest that were valid:");
  if (scale)
    std::printf("  time scale %.4g with its %u peers\n", said.engine.time_scale * factor_of(*scale),
                said.peers.count);
  if (scale && *scale < rungs) print_limit(limit_of_scale_);
  if (peers)
    std::printf("  %u peers, %u on each of %u process%s, at its time scale %.4g\n",
                peers_at(said, *peers), (peers_at(said, *peers) + processes - 1) / processes,
                processes, processes == 1 ? "" : "es", said.engine.time_scale);
  if (peers && *peers < rungs) print_limit(limit_of_peers_);
}

}  // namespace rhizome::tools
