#include "tools/commands/rounds.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "scenarios/experiment/experiment.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/session.hpp"

namespace rhizome::tools {

using Clock = std::chrono::steady_clock;
using scenarios::Cell;

Stage::Stage(const Cell& cell, Archive* archive) : cell_(cell), archive_(archive) {
  if (archive_ == nullptr) return;
  std::vector<std::vector<RunFigures>> kept;
  for (std::size_t s = 0; s < cell.scenario.schedulers.size(); ++s)
    kept.push_back(archive_->find(cell, s));
  done_ = static_cast<std::uint32_t>(
      std::min_element(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
        return a.size() < b.size();
      })->size());
  for (const auto& runs : kept) runs_.insert(runs_.end(), runs.begin(), runs.begin() + done_);
}

core::Duration Stage::cost() const {
  return done_here_ == 0 ? core::Duration::zero() : spent_ / done_here_;
}

bool Stage::run_to(std::uint32_t repetitions, bool quiet) {
  if (repetitions <= done_) return true;
  const auto began = Clock::now();
  cell_.scenario.run.repetitions = repetitions;
  const std::size_t entrants = cell_.scenario.schedulers.size();
  Progress progress((repetitions - done_) * entrants, quiet);
  std::size_t next = 0;
  const scenarios::ExperimentHooks hooks{
      .begin =
          [&](const scenarios::Identity& identity) {
            progress.begin(identity.scenario + ", " + identity.label + ", repetition " +
                           std::to_string(identity.repetition + 1));
          },
      .tick = [&](core::Time now) { progress.tick(now); },
      .outcome =
          [&](scenarios::Outcome&& outcome) {
            progress.finish(std::string(name_of(outcome.ending)));
            warn(outcome);
            runs_.push_back(figures_of(outcome));
            if (archive_ != nullptr) archive_->add(cell_, next % entrants, runs_.back());
            ++next;
          },
      .remark =
          [&](const std::string& text) {
            if (told_.insert(text).second) warn(text);
          }};
  const bool whole = scenarios::run_experiment({&cell_, 1}, hooks, &interrupt_flag(), 0, done_);
  if (whole) {
    done_here_ += repetitions - done_;
    done_ = repetitions;
  }
  spent_ += Clock::now() - began;
  return whole;
}

Rounds::Rounds(std::vector<Stage> stages, const scenarios::Metric& metric, const Limits& limits,
               bool across, bool quiet)
    : stages_(std::move(stages)),
      metric_(metric),
      limits_(limits),
      across_(across),
      quiet_(quiet) {}

bool Rounds::run() {
  for (Stage& stage : stages_)
    if (!stage.run_to(stage.scenario().run.repetitions, quiet_)) return false;
  for (bool more = true; more;) {
    more = false;
    const Tournament now = result();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const std::uint32_t next = affordable(
          stages_[i],
          next_repetitions(now.contests[i], stages_[i].done(), limits_.width, limits_.most));
      if (next <= stages_[i].done()) continue;
      if (!stages_[i].run_to(next, quiet_)) return false;
      more = true;
    }
  }
  return true;
}

Tournament Rounds::result() const {
  std::vector<RunFigures> runs;
  for (const Stage& stage : stages_)
    runs.insert(runs.end(), stage.runs().begin(), stage.runs().end());
  return hold_tournament(runs, metric_, stages_.front().scenario().run.confidence, across_);
}

// As many of the wanted repetitions as the rest of the budget pays for.
std::uint32_t Rounds::affordable(const Stage& stage, std::uint32_t wanted) const {
  if (!limits_.budget || wanted <= stage.done()) return wanted;
  const core::Duration left = *limits_.budget - (Clock::now() - began_);
  if (left <= core::Duration::zero()) return stage.done();
  const core::Duration cost = stage.cost();
  if (cost == core::Duration::zero()) return std::min(wanted, stage.done() + 2);  // to learn it
  const auto paid = static_cast<std::uint32_t>(std::min<std::int64_t>(left / cost, 1'000'000));
  return std::min(wanted, stage.done() + paid);
}

}  // namespace rhizome::tools
