#include "tools/tournament/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "agents/schedulers.hpp"
#include "tools/tournament/multiplicity.hpp"

namespace rhizome::tools {

namespace {

// Two entrants of a contest, by position.
struct Duel {
  Contest* contest;
  std::size_t better;
  std::size_t worse;
};

std::string contest_name(const Identity& identity) {
  const std::string cell = cell_text(identity);
  return cell.empty() ? identity.scenario : identity.scenario + ", " + cell;
}

std::size_t position_of(const Metric& metric) {
  return static_cast<std::size_t>(&metric - metrics().data());
}

// Collects the contests and entrants of all runs.
class Field {
 public:
  Field(std::span<const RunFigures> runs, std::size_t metric) : metric_(metric) {
    for (const RunFigures& run : runs) add(run);
  }

  [[nodiscard]] std::vector<Contest> contests() {
    for (std::size_t i = 0; i < contests_.size(); ++i) keep_common(contests_[i], values_[i]);
    return std::move(contests_);
  }

 private:
  using Values = std::map<std::string, std::map<std::uint32_t, double>>;  // label, repetition

  void add(const RunFigures& run) {
    const std::string name = contest_name(run.identity);
    auto contest =
        std::ranges::find_if(contests_, [&](const Contest& known) { return known.name == name; });
    if (contest == contests_.end()) {
      contest = contests_.insert(contests_.end(), Contest{.name = name, .entrants = {}});
      values_.emplace_back();
    }
    Entrant& entrant = entrant_of(*contest, run.identity.label);
    ++entrant.runs;
    entrant.bound = agents::is_bound(run.identity.scheduler);
    entrant.unfinished += run.unfinished > 0 ? 1 : 0;
    entrant.violated += run.violations > 0 ? 1 : 0;
    entrant.invalid += run.validity.level == Validity::Level::invalid ? 1 : 0;
    values_[static_cast<std::size_t>(contest - contests_.begin())][run.identity.label]
           [run.identity.repetition] = run.values[metric_];
  }

  static Entrant& entrant_of(Contest& contest, const std::string& label) {
    for (Entrant& entrant : contest.entrants)
      if (entrant.label == label) return entrant;
    return contest.entrants.emplace_back(Entrant{.label = label});
  }

  static void keep_common(Contest& contest, const Values& values) {
    for (Entrant& entrant : contest.entrants)
      for (const auto& [repetition, value] : values.at(entrant.label)) {
        const bool common = std::ranges::all_of(
            values, [&](const auto& other) { return other.second.contains(repetition); });
        if (common) entrant.values.push_back(value);
      }
  }

  std::size_t metric_;
  std::vector<Contest> contests_;
  std::vector<Values> values_;  // by contest
};

void sort_and_estimate(Contest& contest, Better better, double confidence) {
  for (Entrant& entrant : contest.entrants)
    entrant.mean = estimate_mean(entrant.values, confidence);
  std::ranges::stable_sort(contest.entrants, [&](const Entrant& a, const Entrant& b) {
    if (a.competes() != b.competes()) return a.competes();
    if (a.sound() != b.sound()) return a.sound();
    if (!a.mean.exists() || !b.mean.exists()) return a.mean.exists();
    return better == Better::less ? a.mean.value < b.mean.value : a.mean.value > b.mean.value;
  });
  contest.ranked = static_cast<std::size_t>(std::ranges::count_if(
      contest.entrants, [](const Entrant& entrant) { return entrant.competes(); }));
  if (contest.ranked == 0) return;
  for (Entrant& entrant : contest.entrants) {
    if (!entrant.sound()) continue;
    const TwoSamples both{.first = entrant.values, .second = contest.entrants.front().values};
    entrant.difference = estimate_difference(both, confidence);
    entrant.ratio = estimate_ratio(both, confidence);
  }
}

void add_duels(Contest& contest, std::vector<Duel>& duels, std::vector<double>& p_values) {
  for (std::size_t i = 0; i < contest.ranked; ++i)
    for (std::size_t j = i + 1; j < contest.ranked; ++j) {
      duels.push_back({&contest, i, j});
      p_values.push_back(difference_p_value(
          {.first = contest.entrants[i].values, .second = contest.entrants[j].values}));
    }
}

void rank(Contest& contest, const std::vector<std::pair<std::size_t, std::size_t>>& apart) {
  const std::vector<std::string> letters = group_letters(contest.ranked, apart);
  for (std::size_t i = 0; i < contest.ranked; ++i) {
    Entrant& entrant = contest.entrants[i];
    entrant.letters = letters[i];
    entrant.best_rank = 1;
    entrant.worst_rank = contest.ranked;
  }
  for (const auto& [better, worse] : apart) {
    ++contest.entrants[worse].best_rank;
    --contest.entrants[better].worst_rank;
  }
}

bool all_zero(const std::vector<double>& values) {
  return values.size() > 1 && std::ranges::all_of(values, [](double value) { return value == 0; });
}

const Entrant* ranked_as(const Contest& contest, const std::string& label) {
  for (std::size_t i = 0; i < contest.ranked; ++i)
    if (contest.entrants[i].label == label) return &contest.entrants[i];
  return nullptr;
}

double field_mean(const Contest& contest, const std::vector<std::string>& labels) {
  double sum = 0;
  for (const std::string& label : labels) sum += ranked_as(contest, label)->mean.value;
  return sum / static_cast<double>(labels.size());
}

// Scales differ between contests, so a value counts as a share of the mean of all entrants there.
Entrant score(const std::string& label, const std::vector<Contest>& contests,
              const std::vector<std::string>& labels) {
  Entrant total{.label = label};
  std::size_t repetitions = std::numeric_limits<std::size_t>::max();
  for (const Contest& contest : contests) {
    const Entrant& entrant = *ranked_as(contest, label);
    total.runs += entrant.runs;
    repetitions = std::min(repetitions, entrant.values.size());
  }
  total.values.assign(repetitions, 0);
  for (const Contest& contest : contests) {
    const double mean = field_mean(contest, labels) * static_cast<double>(contests.size());
    for (std::size_t r = 0; r < repetitions; ++r)
      total.values[r] += mean == 0 ? 0 : ranked_as(contest, label)->values[r] / mean;
  }
  return total;
}

std::vector<Contest> overall_of(const std::vector<Contest>& contests) {
  if (contests.size() < 2) return {};
  std::vector<std::string> labels;
  for (const Entrant& entrant : contests.front().entrants)
    if (std::ranges::all_of(contests, [&](const Contest& contest) {
          return ranked_as(contest, entrant.label) != nullptr;
        }))
      labels.push_back(entrant.label);
  if (labels.size() < 2) return {};
  Contest all{.name = "all " + std::to_string(contests.size()) + " contests", .entrants = {}};
  for (const std::string& label : labels) all.entrants.push_back(score(label, contests, labels));
  return {all};
}

}  // namespace

Tournament hold_tournament(std::span<const RunFigures> runs, const Metric& metric,
                           double confidence, bool across) {
  Tournament made{.metric = &metric, .confidence = confidence, .contests = {}, .overall = {}};
  made.contests = Field(runs, position_of(metric)).contests();
  for (Contest& contest : made.contests) sort_and_estimate(contest, metric.better, confidence);
  if (across) made.overall = overall_of(made.contests);
  for (Contest& contest : made.overall) sort_and_estimate(contest, metric.better, confidence);

  std::vector<Duel> duels;
  std::vector<double> p_values;
  for (Contest& contest : made.contests) add_duels(contest, duels, p_values);
  for (Contest& contest : made.overall) add_duels(contest, duels, p_values);
  made.tests = duels.size();
  const std::vector<bool> decided = rejected_by_holm(p_values, confidence);
  std::map<Contest*, std::vector<std::pair<std::size_t, std::size_t>>> apart;
  for (std::size_t i = 0; i < duels.size(); ++i)
    if (decided[i]) apart[duels[i].contest].emplace_back(duels[i].better, duels[i].worse);
  for (Contest& contest : made.contests) rank(contest, apart[&contest]);
  for (Contest& contest : made.overall) rank(contest, apart[&contest]);
  return made;
}

// The first is the measure of the others, so its own ratio is exact.
double widest(const Contest& contest) {
  if (contest.ranked == 0 || all_zero(contest.entrants.front().values)) return 0;
  double width = 0;
  for (std::size_t i = 1; i < contest.ranked; ++i) {
    if (all_zero(contest.entrants[i].values)) continue;
    const Estimate& ratio = contest.entrants[i].ratio;
    if (!ratio.interval || ratio.value == 0) return std::numeric_limits<double>::infinity();
    width = std::max(width, (ratio.interval->high - ratio.interval->low) / 2 / ratio.value);
  }
  return width;
}

// An interval narrows with the root of the number of runs.
std::uint32_t next_repetitions(const Contest& contest, std::uint32_t now, double width,
                               std::uint32_t most) {
  const double present = widest(contest);
  if (present <= width) return now;
  const double wanted = std::isfinite(present)
                            ? std::ceil(now * (present / width) * (present / width))
                            : std::numeric_limits<double>::infinity();
  const double next = std::clamp(wanted, now + 2.0, std::max(now + 2.0, 2.0 * now));
  return static_cast<std::uint32_t>(std::min(next, static_cast<double>(std::max(now, most))));
}

}  // namespace rhizome::tools
