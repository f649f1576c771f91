#include "tools/agree/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/text/enumerators.hpp"

namespace rhizome::tools {

namespace {

constexpr double confidence = 0.90;  // two one-sided tests at 5 % each
constexpr double shown_confidence = 0.95;
constexpr double power = 0.80;           // of the tests with the recommended number of runs
constexpr std::size_t most_runs = 1000;  // the largest number of runs that is recommended

// The runs of one scheduler in one cell, by seed, under both engines.
struct Party {
  std::map<std::uint64_t, const EngineRun*> threads;
  std::map<std::uint64_t, const EngineRun*> virtual_time;
};

struct Samples {
  std::vector<double> threads;
  std::vector<double> virtual_time;
  bool paired = false;
};

template <class F>
Samples samples_of(const Party& party, F value) {
  Samples samples;
  samples.paired = party.threads.size() == party.virtual_time.size();
  for (const auto& [seed, run] : party.threads) {
    samples.paired = samples.paired && party.virtual_time.contains(seed);
    samples.threads.push_back(value(*run));
  }
  for (const auto& [seed, run] : party.virtual_time) samples.virtual_time.push_back(value(*run));
  return samples;
}

Estimate ratio_of(const Samples& samples) {
  return estimate_ratio({samples.threads, samples.virtual_time, samples.paired}, confidence);
}

Equivalence judge(const Estimate& ratio, double margin) {
  if (!ratio.interval) return Equivalence::too_wide;
  if (ratio.interval->high < 1 - margin || ratio.interval->low > 1 + margin)
    return Equivalence::different;
  const bool inside = ratio.interval->low >= 1 - margin && ratio.interval->high <= 1 + margin;
  return inside ? Equivalence::equivalent : Equivalence::too_wide;
}

// Takes the deviation from the width of the interval, and keeps the present estimate.
std::size_t more_runs(const Estimate& ratio, double margin, std::size_t runs) {
  if (!ratio.interval || runs < 2) return 0;
  const auto count = static_cast<double>(runs);
  const double half = (ratio.interval->high - ratio.interval->low) / 2;
  const double deviation =
      half * std::sqrt(count) / student_quantile(0.5 + confidence / 2, count - 1);
  const std::size_t all = needed_runs(deviation, margin - std::abs(ratio.value - 1));
  return all == 0 ? 0 : std::max<std::size_t>(all, runs + 1) - runs;
}

bool all_zero(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value == 0; });
}

// A ratio to zero does not exist: where virtual time always counts zero, threads must count zero
// too.
Equivalence judge_against_zero(const Samples& samples) {
  if (all_zero(samples.threads)) return Equivalence::equivalent;
  const Estimate threads = estimate_mean(samples.threads, confidence);
  return threads.interval && !threads.interval->contains(0) ? Equivalence::different
                                                            : Equivalence::too_wide;
}

// A metric is inapplicable only where no run has a value. Where some runs have one, it is judged,
// and the missing values are not ignored.
bool applies(const Samples& samples) {
  const auto number = [](double value) { return !std::isnan(value); };
  return std::ranges::any_of(samples.threads, number) ||
         std::ranges::any_of(samples.virtual_time, number);
}

Equivalence judge(const Samples& samples, double margin) {
  if (!applies(samples)) return Equivalence::inapplicable;
  if (!samples.virtual_time.empty() && all_zero(samples.virtual_time))
    return judge_against_zero(samples);
  return judge(ratio_of(samples), margin);
}

bool knows_phases(const Party& party, const std::string& metric) {
  const auto knows = [&](const auto& entry) {
    return series_for(entry.second->phases, metric) != nullptr;
  };
  return std::ranges::all_of(party.threads, knows) &&
         std::ranges::all_of(party.virtual_time, knows);
}

// The caller makes sure that all runs know their phases.
std::optional<std::size_t> first_difference(const Party& party, const Margin& margin) {
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const Samples samples = samples_of(party, [&](const EngineRun& run) {
      return (*series_for(run.phases, margin.metric))[phase];
    });
    if (judge(samples, margin.share) == Equivalence::different) return phase + 1;
  }
  return {};
}

MetricAgreement agree_in(const Party& party, const Margin& margin) {
  const auto position = static_cast<std::size_t>(find_metric(margin.metric) - metrics().data());
  const Samples samples =
      samples_of(party, [&](const EngineRun& run) { return run.figures.values[position]; });
  MetricAgreement made{.margin = margin,
                       .threads = estimate_mean(samples.threads, shown_confidence),
                       .virtual_time = estimate_mean(samples.virtual_time, shown_confidence),
                       .ratio = ratio_of(samples)};
  made.verdict = judge(samples, margin.share);
  if (all_zero(samples.threads) && all_zero(samples.virtual_time))
    made.ratio = {1, Interval{1, 1}};  // both engines always count zero
  if (made.verdict == Equivalence::too_wide)
    made.more_runs = more_runs(made.ratio, margin.share, party.threads.size());
  made.phases_known = knows_phases(party, margin.metric);
  if (made.verdict == Equivalence::different && made.phases_known)
    made.first_phase = first_difference(party, margin);
  return made;
}

// Adds the invalid runs before the suspect ones. The reason is that of the run with the largest
// lag.
void add_doubts(std::vector<DoubtfulRuns>& doubts, const Contender& side,
                const std::map<std::uint64_t, const EngineRun*>& runs) {
  for (const auto level : {Validity::Level::invalid, Validity::Level::suspect}) {
    DoubtfulRuns doubt{.side = side, .level = level, .of = runs.size()};
    Duration worst{-1};
    for (const auto& [seed, run] : runs) {
      const Validity& validity = run->figures.validity;
      if (validity.level != level) continue;
      ++doubt.runs;
      if (validity.worst_lag <= worst) continue;
      worst = validity.worst_lag;
      doubt.reason = validity.reason;
    }
    if (doubt.runs > 0) doubts.push_back(doubt);
  }
}

}  // namespace

std::size_t needed_runs(double deviation, double room) {
  if (room <= 0) return 0;
  for (std::size_t runs = 2; runs <= most_runs; ++runs) {
    const auto count = static_cast<double>(runs);
    const double reach =
        student_quantile(0.5 + confidence / 2, count - 1) + student_quantile(power, count - 1);
    if (reach * deviation / std::sqrt(count) <= room) return runs;
  }
  return 0;
}

std::vector<Margin> default_margins() {
  return {{"makespan", 0.10},
          {"utilisation", 0.10},
          {"mean_depth", 0.10},
          {"job_messages", 0.05},
          {"job_messages_top1", 0.15},
          {"job_messages_top2", 0.30},
          {"job_messages_top3", 0.30},
          {"result_messages", 0.05},
          {"result_messages_top1", 0.15},
          {"result_messages_top2", 0.30},
          {"result_messages_top3", 0.30},
          {"information_messages", 0.05},
          {"information_messages_top1", 0.15},
          {"information_messages_top2", 0.30},
          {"information_messages_top3", 0.30}};
}

std::string_view name_of(Equivalence equivalence) {
  return one_of<Equivalence, std::string_view>(
      equivalence, {"not applicable", "equivalent", "too wide", "different"});
}

std::vector<Agreement> agree(std::span<const EngineRun> runs, std::span<const Margin> margins,
                             const Contenders& sides) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, Party> parties;
  for (const EngineRun& run : runs) {
    const Identity& identity = run.figures.identity;
    const std::pair key(cell_text(identity), identity.label);
    if (!parties.contains(key)) order.push_back(key);
    Party& party = parties[key];
    (identity.engine == sides.judged.name ? party.threads : party.virtual_time)[identity.seed] =
        &run;
  }
  std::vector<Agreement> agreements;
  for (const auto& key : order) {
    const Party& party = parties[key];
    Agreement made{
        .sides = sides, .label = key.second, .cell = key.first, .runs = party.threads.size()};
    for (const auto* side : {&party.threads, &party.virtual_time})
      for (const auto& [seed, run] : *side) {
        made.invalid += run->figures.validity.level == Validity::Level::invalid ? 1 : 0;
        made.repeated += run->figures.repeated;
        made.unsound += run->figures.unfinished > 0 || run->figures.violations > 0 ? 1 : 0;
      }
    add_doubts(made.doubts, sides.judged, party.threads);
    add_doubts(made.doubts, sides.reference, party.virtual_time);
    for (const Margin& margin : margins) made.metrics.push_back(agree_in(party, margin));
    agreements.push_back(std::move(made));
  }
  return agreements;
}

Equivalence overall(std::span<const Agreement> agreements) {
  Equivalence worst = Equivalence::equivalent;
  for (const Agreement& agreement : agreements) {
    if (agreement.invalid + agreement.unsound > 0) worst = std::max(worst, Equivalence::too_wide);
    if (agreement.invalid > 0) continue;  // the machine may have caused the differences too
    for (const MetricAgreement& metric : agreement.metrics) worst = std::max(worst, metric.verdict);
  }
  return worst;
}

}  // namespace rhizome::tools
