// Runs as comparisons see them, with one metric of interest.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/claim.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"

namespace rhizome::test {

// The position of a metric in metrics().
inline std::size_t metric_position(const std::string& name) {
  return static_cast<std::size_t>(scenarios::find_metric(name) - scenarios::metrics().data());
}

// A finished run with that makespan and zero in every other metric.
inline tools::RunFigures run_of(const std::string& label, std::uint64_t seed, double makespan) {
  tools::RunFigures run;
  run.identity.scenario = "race";
  run.identity.scheduler = run.identity.label = label;
  run.identity.engine = "virtual";
  run.identity.seed = seed;
  run.ending = core::Ending::finished;
  run.values.assign(scenarios::metrics().size(), 0);
  run.values[metric_position("makespan")] = makespan;
  return run;
}

// Runs with the seeds 1, 2, ...
inline std::vector<tools::RunFigures> runs_of(const std::string& label,
                                              const std::vector<double>& makespans) {
  std::vector<tools::RunFigures> runs;
  for (const double makespan : makespans) runs.push_back(run_of(label, runs.size() + 1, makespan));
  return runs;
}

inline std::vector<tools::RunFigures> together(std::vector<tools::RunFigures> runs,
                                               const std::vector<tools::RunFigures>& more) {
  runs.insert(runs.end(), more.begin(), more.end());
  return runs;
}

// Seeds differ far more than schedulers do, which only pairing sees through.
inline const std::vector<double> slow{101, 202, 303, 404};
inline const std::vector<double> fast{100, 200, 300, 400};

// How a claim stands for runs without cells.
inline tools::Standing judged(const std::string& text, const std::vector<tools::RunFigures>& runs) {
  const auto claim = scenarios::parse_claim(text);
  REQUIRE(claim.has_value());
  const auto results = tools::judge_claims(std::vector<scenarios::Claim>{*claim}, runs, 0.95);
  REQUIRE(results.size() == 1);
  return results.front().standing;
}

}  // namespace rhizome::test
