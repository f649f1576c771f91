#include "tools/commands/running/rounds.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::tools {

using Clock = std::chrono::steady_clock;
using scenarios::Cell;

TournamentCell::TournamentCell(const Cell& cell, Archive* archive, RunWriter& run_writer)
    : cell_(cell), archive_(archive), run_writer_(&run_writer) {
  if (archive_ == nullptr) return;
  std::vector<std::vector<RunFigures>> kept;
  for (std::size_t s = 0; s < cell.scenario.schedulers.size(); ++s)
    kept.push_back(archive_->find(cell, s));
  done_ =
      static_cast<std::uint32_t>(std::ranges::min_element(kept, [](const auto& a, const auto& b) {
                                   return a.size() < b.size();
                                 })->size());
  for (const auto& runs : kept) runs_.insert(runs_.end(), runs.begin(), runs.begin() + done_);
  if (done_ > 0)
    run_writer.remark(
        "of " + cell.scenario.name + ", " + std::to_string(done_) +
        " repetitions of an earlier tournament count in the ranks (--keep), and are not "
        "stored here");
}

core::Duration TournamentCell::cost() const {
  return done_here_ == 0 ? core::Duration::zero() : spent_ / done_here_;
}

bool TournamentCell::run_to(std::uint32_t repetitions, Commentary& commentary) {
  if (repetitions <= done_) return true;
  const auto began = Clock::now();
  cell_.scenario.run.repetitions = repetitions;
  const std::size_t entrants = cell_.scenario.schedulers.size();
  commentary.expect((repetitions - done_) * entrants);
  std::size_t next = 0;
  const auto take = [&](scenarios::Outcome&& outcome) {
    run_writer_->add(outcome);
    runs_.push_back(figures_of(outcome));
    if (archive_ != nullptr) archive_->add(cell_, next % entrants, runs_.back());
    ++next;
  };
  const bool whole = commentary.run({&cell_, 1}, take, {.repetitions = done_});
  if (whole) {
    done_here_ += repetitions - done_;
    done_ = repetitions;
  }
  spent_ += Clock::now() - began;
  return whole;
}

Rounds::Rounds(std::vector<TournamentCell> stages, const scenarios::Metric& metric,
               const RoundLimits& limits, bool across, bool quiet)
    : stages_(std::move(stages)),
      metric_(metric),
      limits_(limits),
      across_(across),
      commentary_(
          {.screen = Screen::standard_error(quiet),
           .name =
               [](const auto& identity) { return identity.scenario + ", " + describe(identity); },
           .remark =
               [this](const std::string& text) {
                 if (running_ != nullptr) running_->remark(text);
               }}) {}

bool Rounds::run_to(TournamentCell& stage, std::uint32_t repetitions) {
  running_ = &stage;
  return stage.run_to(repetitions, commentary_);
}

bool Rounds::run() {
  for (TournamentCell& stage : stages_)
    if (!run_to(stage, stage.scenario().run.repetitions)) return false;
  for (bool more = true; more;) {
    more = false;
    const Tournament now = result();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const std::uint32_t next = affordable(
          stages_[i],
          next_repetitions(now.contests[i], stages_[i].done(), limits_.width, limits_.most));
      if (next <= stages_[i].done()) continue;
      if (!run_to(stages_[i], next)) return false;
      more = true;
    }
  }
  return true;
}

Tournament Rounds::result() const {
  std::vector<RunFigures> runs;
  for (const TournamentCell& stage : stages_)
    runs.insert(runs.end(), stage.runs().begin(), stage.runs().end());
  return hold_tournament(runs, metric_, stages_.front().scenario().run.confidence, across_);
}

// As many of the wanted repetitions as the rest of the budget pays for.
std::uint32_t Rounds::affordable(const TournamentCell& stage, std::uint32_t wanted) const {
  if (!limits_.budget || wanted <= stage.done()) return wanted;
  const core::Duration left = *limits_.budget - (Clock::now() - began_);
  if (left <= core::Duration::zero()) return stage.done();
  const core::Duration cost = stage.cost();
  if (cost == core::Duration::zero()) return std::min(wanted, stage.done() + 2);  // to learn it
  const auto paid = static_cast<std::uint32_t>(std::min<std::int64_t>(left / cost, 1'000'000));
  return std::min(wanted, stage.done() + paid);
}

}  // namespace rhizome::tools
