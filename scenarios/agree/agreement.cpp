#include "scenarios/agree/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

constexpr double confidence = 0.90;  // two one-sided tests at 5 % each
constexpr double shown_confidence = 0.95;

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

// The interval shrinks with the root of the number of runs, around the same estimate.
std::size_t more_runs(const Estimate& ratio, double margin, std::size_t runs) {
  const double room = margin - std::abs(ratio.value - 1);
  if (!ratio.interval || room <= 0) return 0;
  const double half = (ratio.interval->high - ratio.interval->low) / 2;
  const double factor = half / room;
  const double all = std::ceil(static_cast<double>(runs) * factor * factor);
  return static_cast<std::size_t>(std::max(1.0, all - static_cast<double>(runs)));
}

// Both zero in every run: nothing could agree better, and there is no ratio.
bool all_zero(const Samples& samples) {
  const auto zero = [](double value) { return value == 0; };
  return std::all_of(samples.threads.begin(), samples.threads.end(), zero) &&
         std::all_of(samples.virtual_time.begin(), samples.virtual_time.end(), zero);
}

std::optional<std::size_t> first_difference(const Party& party, const Margin& margin) {
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const Samples samples = samples_of(
        party, [&](const EngineRun& run) { return series_for(run.phases, margin.metric)[phase]; });
    if (judge(ratio_of(samples), margin.share) == Equivalence::different) return phase + 1;
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
  if (all_zero(samples)) {
    made.ratio = {1, Interval{1, 1}};
  }
  made.verdict = judge(made.ratio, margin.share);
  if (made.verdict == Equivalence::too_wide)
    made.more_runs = more_runs(made.ratio, margin.share, party.threads.size());
  if (made.verdict == Equivalence::different) made.first_phase = first_difference(party, margin);
  return made;
}

}  // namespace

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
  switch (equivalence) {
    case Equivalence::equivalent:
      return "equivalent";
    case Equivalence::too_wide:
      return "too wide";
    case Equivalence::different:
      break;
  }
  return "different";
}

std::vector<Agreement> agree(std::span<const EngineRun> runs, std::span<const Margin> margins) {
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, Party> parties;
  for (const EngineRun& run : runs) {
    const Identity& identity = run.figures.identity;
    const std::pair key(cell_text(identity), identity.label);
    if (!parties.contains(key)) order.push_back(key);
    Party& party = parties[key];
    (identity.engine == "threads" ? party.threads : party.virtual_time)[identity.seed] = &run;
  }
  std::vector<Agreement> agreements;
  for (const auto& key : order) {
    const Party& party = parties[key];
    Agreement made{
        .label = key.second, .cell = key.first, .runs = party.threads.size(), .metrics = {}};
    for (const auto* side : {&party.threads, &party.virtual_time})
      for (const auto& [seed, run] : *side) {
        made.invalid += run->figures.validity.level == Validity::Level::invalid ? 1 : 0;
        made.unsound += run->figures.unfinished > 0 || run->figures.violations > 0 ? 1 : 0;
      }
    for (const Margin& margin : margins) made.metrics.push_back(agree_in(party, margin));
    agreements.push_back(std::move(made));
  }
  return agreements;
}

Equivalence overall(std::span<const Agreement> agreements) {
  Equivalence worst = Equivalence::equivalent;
  for (const Agreement& agreement : agreements) {
    if (agreement.invalid + agreement.unsound > 0) worst = std::max(worst, Equivalence::too_wide);
    for (const MetricAgreement& metric : agreement.metrics) worst = std::max(worst, metric.verdict);
  }
  return worst;
}

}  // namespace rhizome::scenarios
