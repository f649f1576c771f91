#include "tools/sweep/sweep.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/text/option_path.hpp"
#include "tools/compare/compare.hpp"
#include "tools/tournament/multiplicity.hpp"

namespace rhizome::tools {

namespace {

using Runs = std::vector<const RunFigures*>;

std::string bare(std::string value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return value;
}

bool sound_run(const RunFigures& run) {
  return run.validity.level != Validity::Level::invalid && run.failure.empty() &&
         run.steered == 0 && run.unfinished == 0 && run.violations == 0;
}

bool is_option(const std::string& key) { return scenarios::option_path(key).has_value(); }

// The work and the faults are given: a user cannot choose them.
bool is_given(const std::string& key) {
  const auto begins = [&key](const char* start) { return key.starts_with(start); };
  return begins("workload.") || begins("faults.") || begins("run.") || key == "network.loss" ||
         key == "network.duplication" || key == "network.jitter";
}

std::size_t place_of(const std::vector<std::string>& list, const std::string& one) {
  return static_cast<std::size_t>(std::ranges::find(list, one) - list.begin());
}

// Gathers the runs of one scheduler.
class Gathered {
 public:
  Gathered(const Sweep& sweep, const Metric& metric, const std::string& label)
      : sweep_(sweep), metric_(static_cast<std::size_t>(&metric - metrics().data())) {
    side_.label = label;
  }

  void add(const RunFigures& run) {
    if (runs_.empty()) learn_keys(run.identity);
    std::vector<std::string> values;
    for (const auto& [key, value] : run.identity.cell) values.push_back(bare(value));
    values.resize(side_.keys.size());  // a damaged store may have other keys
    auto point = std::ranges::find_if(
        side_.points, [&](const SweepPoint& known) { return known.values == values; });
    if (point == side_.points.end()) {
      point = side_.points.insert(side_.points.end(), {.values = values});
      runs_.emplace_back();
    }
    runs_[static_cast<std::size_t>(point - side_.points.begin())].push_back(&run);
  }

  [[nodiscard]] SweepSide finish() {
    for (std::size_t i = 0; i < side_.points.size(); ++i) measure(side_.points[i], runs_[i]);
    if (side_.points.size() > 1 && !side_.chosen.empty())
      for (const auto& [condition, candidates] : conditions()) choose(candidates);
    return std::move(side_);
  }

 private:
  // Finds the keys that can be chosen: none for a metric of which neither less nor more is better.
  // If the sweep has options of other schedulers only, this scheduler differs only in the world's
  // keys, and these are not settings.
  void learn_keys(const Identity& identity) {
    const bool of_options = std::ranges::any_of(sweep_.keys, is_option);
    for (const auto& [key, value] : identity.cell) {
      side_.keys.push_back(place_of(sweep_.keys, key));
      const bool choosable = of_options ? is_option(key) : !is_given(key);
      if (choosable && ranks()) side_.chosen.push_back(side_.keys.back());
    }
  }

  [[nodiscard]] bool ranks() const { return metrics()[metric_].better != Better::neither; }

  void measure(SweepPoint& point, const Runs& runs) const {
    std::vector<double> values;
    for (const RunFigures* run : runs) values.push_back(run->values[metric_]);
    point.runs = runs.size();
    point.mean = estimate_mean(values, sweep_.confidence);
    point.sound = std::ranges::all_of(runs, [](const auto* run) { return sound_run(*run); });
  }

  // The points grouped by the values of keys that cannot be chosen, in order of appearance.
  [[nodiscard]] std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>>
  conditions() const {
    std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>> list;
    for (std::size_t i = 0; i < side_.points.size(); ++i) {
      std::vector<std::string> world;
      for (std::size_t k = 0; k < side_.keys.size(); ++k)
        if (std::ranges::count(side_.chosen, side_.keys[k]) == 0)
          world.push_back(side_.points[i].values[k]);
      auto known = std::ranges::find_if(list, [&](const auto& one) { return one.first == world; });
      if (known == list.end()) known = list.insert(list.end(), {world, {}});
      known->second.push_back(i);
    }
    return list;
  }

  // Open runs do as much work as their time allows, so only runs of the same duration are compared.
  [[nodiscard]] bool eligible(std::size_t point, std::size_t first) const {
    return side_.points[point].sound && side_.points[point].mean.exists() &&
           runs_[point].front()->open_for == runs_[first].front()->open_for;
  }
  [[nodiscard]] bool better(std::size_t a, std::size_t b) const {
    const double left = side_.points[a].mean.value;
    const double right = side_.points[b].mean.value;
    return metrics()[metric_].better == Better::more ? left > right : left < right;
  }

  void choose(const std::vector<std::size_t>& candidates) {
    SweepChoice choice{.candidates = candidates};
    std::vector<std::size_t> fit;
    for (const std::size_t i : candidates)
      if (eligible(i, candidates.front()))
        fit.push_back(i);
      else if (side_.points[i].sound)
        ++choice.incomparable;
    if (!fit.empty())
      choice.best = *std::ranges::min_element(fit, [&](auto a, auto b) { return better(a, b); });
    std::erase_if(fit, [&](std::size_t i) { return i == choice.best; });
    std::vector<double> chances;
    for (const std::size_t i : fit) chances.push_back(chance(i, *choice.best));
    const std::vector<bool> worse = rejected_by_holm(chances, sweep_.confidence);
    for (std::size_t i = 0; i < fit.size(); ++i)
      if (!worse[i]) choice.alike.push_back(fit[i]);
    side_.choices.push_back(std::move(choice));
  }
  [[nodiscard]] double chance(std::size_t one, std::size_t best) const {
    const PairedSamples samples = pair_up(runs_[one], runs_[best], {metric_, metric_});
    return difference_p_value({samples.first, samples.second, samples.paired});
  }

  const Sweep& sweep_;
  std::size_t metric_;
  SweepSide side_;
  std::vector<Runs> runs_;  // by point
};

}  // namespace

std::optional<Sweep> sweep_of(std::span<const RunFigures> runs, const Metric& metric,
                              double confidence) {
  if (runs.empty()) return {};
  Sweep sweep{.scenario = runs.front().identity.scenario,
              .engine = runs.front().identity.engine,
              .confidence = confidence,
              .metric = &metric};
  for (const RunFigures& run : runs)
    for (const auto& [key, value] : run.identity.cell)
      if (place_of(sweep.keys, key) == sweep.keys.size()) sweep.keys.push_back(key);
  if (sweep.keys.empty()) return {};
  std::vector<std::string> labels;
  std::vector<Gathered> gathered;
  for (const RunFigures& run : runs) {
    const std::size_t at = place_of(labels, run.identity.label);
    if (at == labels.size()) {
      labels.push_back(run.identity.label);
      gathered.emplace_back(sweep, metric, run.identity.label);
    }
    gathered[at].add(run);
  }
  for (Gathered& one : gathered) sweep.sides.push_back(one.finish());
  return sweep;
}

}  // namespace rhizome::tools
