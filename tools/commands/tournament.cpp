#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/duration_text.hpp"
#include "scenarios/format/nearest.hpp"
#include "scenarios/tournament/archive.hpp"
#include "scenarios/tournament/tournament.hpp"
#include "tools/cli/console.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/session.hpp"

namespace rhizome::tools {

namespace {

using Clock = std::chrono::steady_clock;
using scenarios::Cell;
using scenarios::RunFigures;

const scenarios::Metric& metric_of(const Arguments& arguments) {
  const std::string name = arguments.text("metric").value_or("mean_response");
  const scenarios::Metric* metric = scenarios::find_metric(name);
  if (metric == nullptr)
    throw UsageError("there is no metric \"" + name + "\"" +
                     scenarios::suggestion(name, scenarios::metric_names()));
  if (metric->better == scenarios::Better::neither)
    throw UsageError("nobody wins by " + name + ": neither less nor more of it is better");
  return *metric;
}

// "5" or "5%": half of an interval, as a share.
double width_of(const Arguments& arguments) {
  std::string text = arguments.text("width").value_or("5%");
  if (text.ends_with('%')) text.pop_back();
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent > 0) || percent >= 100)
    throw UsageError("--width is a number of per cent between 0 and 100");
  return percent / 100;
}

std::optional<core::Duration> budget_of(const Arguments& arguments) {
  const auto text = arguments.text("budget");
  if (!text) return {};
  const auto budget = scenarios::parse_duration(*text);
  if (!budget || *budget <= core::Duration::zero())
    throw UsageError("--budget is a time such as 90s or 10min");
  return core::Duration(*budget);
}

// What the command decides itself would otherwise be overridden without a word.
void refuse_own_keys(const Arguments& arguments) {
  for (std::string key : arguments.texts("set")) {
    key = key.substr(0, key.find('='));
    std::erase(key, ' ');
    if (key == "run.repetitions")
      throw UsageError("--set run.repetitions has no effect here: use --repetitions and --most");
  }
}

// The cells of every file; the entrants of `--schedulers` in the place of their own.
std::vector<Cell> contests_of(const Arguments& arguments) {
  std::vector<Cell> cells;
  std::set<std::string> names;
  for (const std::string& file : arguments.positional()) {
    std::vector<Cell> of_file = read_cells(file, arguments);
    if (!names.insert(of_file.front().scenario.name).second)
      throw UsageError("two scenarios are called \"" + of_file.front().scenario.name + "\"");
    cells.insert(cells.end(), of_file.begin(), of_file.end());
  }
  if (const auto file = arguments.text("schedulers")) {
    const std::vector<Cell> entrants = read_cells(*file, arguments);
    if (entrants.size() > 1)
      throw UsageError("--schedulers " + *file + " sweeps: its entrants would not be the same");
    for (Cell& cell : cells) cell.scenario.schedulers = entrants.front().scenario.schedulers;
  }
  for (const Cell& cell : cells)
    if (cell.scenario.schedulers.size() < 2)
      throw UsageError("a tournament needs two schedulers, and " + cell.scenario.file +
                       " has one: name others with --schedulers FILE");
  return cells;
}

// One cell, and the runs of it so far.
class Stage {
 public:
  Stage(const Cell& cell, scenarios::Archive* archive) : cell_(cell), archive_(archive) {
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

  [[nodiscard]] std::uint32_t done() const { return done_; }
  [[nodiscard]] const std::vector<RunFigures>& runs() const { return runs_; }
  [[nodiscard]] const scenarios::Scenario& scenario() const { return cell_.scenario; }
  [[nodiscard]] core::Duration cost() const {
    return done_here_ == 0 ? core::Duration::zero() : spent_ / done_here_;
  }

  // False when interrupted.
  bool run_to(std::uint32_t repetitions, bool quiet) {
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
              runs_.push_back(scenarios::figures_of(outcome));
              if (archive_ != nullptr) archive_->add(cell_, next % entrants, runs_.back());
              ++next;
            },
        .remark =
            [](const std::string& text) { std::fprintf(stderr, "rhizome: %s\n", text.c_str()); }};
    const bool whole = scenarios::run_experiment({&cell_, 1}, hooks, &interrupt_flag(), 0, done_);
    if (whole) {
      done_here_ += repetitions - done_;
      done_ = repetitions;
    }
    spent_ += Clock::now() - began;
    return whole;
  }

 private:
  Cell cell_;
  scenarios::Archive* archive_;
  std::uint32_t done_ = 0;
  std::uint32_t done_here_ = 0;  // in this call
  core::Duration spent_{0};
  std::vector<RunFigures> runs_;
};

struct Limits {
  double width;
  std::uint32_t least;
  std::uint32_t most;
  std::optional<core::Duration> budget;
};

class Rounds {
 public:
  Rounds(std::vector<Stage> stages, const scenarios::Metric& metric, const Limits& limits,
         bool quiet)
      : stages_(std::move(stages)), metric_(metric), limits_(limits), quiet_(quiet) {}

  // False when interrupted.
  bool run() {
    for (Stage& stage : stages_)
      if (!stage.run_to(limits_.least, quiet_)) return false;
    for (bool more = true; more;) {
      more = false;
      const scenarios::Tournament now = result();
      for (std::size_t i = 0; i < stages_.size(); ++i) {
        const std::uint32_t next =
            affordable(stages_[i], scenarios::next_repetitions(now.contests[i], stages_[i].done(),
                                                               limits_.width, limits_.most));
        if (next <= stages_[i].done()) continue;
        if (!stages_[i].run_to(next, quiet_)) return false;
        more = true;
      }
    }
    return true;
  }

  [[nodiscard]] scenarios::Tournament result() const {
    std::vector<RunFigures> runs;
    for (const Stage& stage : stages_)
      runs.insert(runs.end(), stage.runs().begin(), stage.runs().end());
    return scenarios::hold_tournament(runs, metric_, stages_.front().scenario().run.confidence);
  }

 private:
  // As many of the wanted repetitions as the rest of the budget pays for.
  [[nodiscard]] std::uint32_t affordable(const Stage& stage, std::uint32_t wanted) const {
    if (!limits_.budget || wanted <= stage.done()) return wanted;
    const core::Duration left = *limits_.budget - (Clock::now() - began_);
    if (left <= core::Duration::zero()) return stage.done();
    const core::Duration cost = std::max(stage.cost(), core::Duration(1));
    const auto paid = static_cast<std::uint32_t>(std::min<std::int64_t>(left / cost, 1'000'000));
    return std::min(wanted, stage.done() + paid);
  }

  std::vector<Stage> stages_;
  const scenarios::Metric& metric_;
  Limits limits_;
  bool quiet_;
  Clock::time_point began_ = Clock::now();
};

Exit exit_of(const scenarios::Tournament& tournament, double width) {
  bool narrow = true;
  for (const scenarios::Contest& contest : tournament.contests) {
    for (const scenarios::Entrant& entrant : contest.entrants)
      if (entrant.unsound > 0) return Exit::fails;
    narrow =
        narrow && contest.ranked == contest.entrants.size() && scenarios::widest(contest) <= width;
  }
  return narrow ? Exit::holds : Exit::inconclusive;
}

// Intervals that stayed too wide are told, contest by contest.
void tell_widths(const scenarios::Tournament& tournament, double width) {
  for (const scenarios::Contest& contest : tournament.contests)
    if (const double wide = scenarios::widest(contest); wide > width)
      std::fprintf(stderr,
                   "rhizome: %s: the widest ratio is known to ±%.3g %% only, not to ±%.3g %%: "
                   "more repetitions (--most, --budget) would tell more\n",
                   contest.name.c_str(), wide * 100, width * 100);
}

}  // namespace

Exit tournament_command(const Arguments& arguments) {
  const scenarios::Metric& metric = metric_of(arguments);
  refuse_own_keys(arguments);
  Limits limits{.width = width_of(arguments),
                .least = static_cast<std::uint32_t>(arguments.number("repetitions", 2).value_or(5)),
                .most = static_cast<std::uint32_t>(arguments.number("most", 2).value_or(100)),
                .budget = budget_of(arguments)};
  if (limits.most < limits.least) throw UsageError("--most cannot be less than --repetitions");
  const std::vector<Cell> cells = contests_of(arguments);
  std::optional<scenarios::Archive> archive;
  if (const auto file = arguments.text("keep")) archive.emplace(*file);
  std::vector<Stage> stages;
  for (const Cell& cell : cells) stages.emplace_back(cell, archive ? &*archive : nullptr);
  Rounds rounds(std::move(stages), metric, limits, arguments.has("quiet"));
  if (!rounds.run()) return Exit::interrupted;
  const scenarios::Tournament result = rounds.result();
  const std::string format = arguments.text("output").value_or("text");
  const std::string text = format == "json"       ? json_of(result)
                           : format == "markdown" ? markdown_of(result)
                                                  : text_of(result);
  std::fputs(text.c_str(), stdout);
  tell_widths(result, limits.width);
  return exit_of(result, limits.width);
}

}  // namespace rhizome::tools
