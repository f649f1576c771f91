// Whole runs for swarm, parity and thread tests, from a few lines of a scenario.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::test {

// One run of the scheduler with that position in the scenario.
inline scenarios::Outcome run_scenario(const std::string& text, std::uint32_t repetition = 0,
                                       std::size_t scheduler = 0,
                                       const scenarios::Overrides& overrides = {}) {
  const auto cells = scenarios::parse_scenario(text, "test.toml", overrides);
  return scenarios::run_once(cells.front(), scheduler, repetition, {}, nullptr);
}

// No invariant is broken; says which, and how to replay the run.
inline void check_sound(const scenarios::Outcome& outcome) {
  INFO("scheduler " << outcome.identity.label << ", repetition " << outcome.identity.repetition
                    << ", seed " << outcome.identity.seed);
  for (const scenarios::Violation& violation : outcome.violations)
    FAIL_CHECK(violation.invariant << ": " << violation.text);
}

inline double metric(const scenarios::Outcome& outcome, const std::string& name) {
  const scenarios::Metric* found = scenarios::find_metric(name);
  REQUIRE(found != nullptr);
  return found->of(outcome);
}

}  // namespace rhizome::test
