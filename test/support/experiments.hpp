// Whole runs for swarm, parity and thread tests, from a few lines of a scenario.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::test {

// The end of a scenario: these, as they are without options.
inline std::string schedulers(std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    text.append("[[scheduler]]\nuse = \"").append(name).append("\"\n");
  return text;
}

// All schedulers that pass tasks from peer to peer, and of Sparrow both bindings.
inline const std::string passing_schedulers =
    schedulers({"organic-grid", "air-traffic", "hybrid", "round-robin", "vector", "sparrow"}) + R"(
[[scheduler]]
use = "sparrow"
label = "sparrow-early"
sampling = "per-task"
)";
inline constexpr std::size_t passing = 7;

// One run of the scheduler with that position in the scenario.
inline scenarios::Outcome run_scenario(const std::string& text, std::uint32_t repetition = 0,
                                       std::size_t scheduler = 0,
                                       const scenarios::Overrides& overrides = {}) {
  const auto cells = scenarios::parse_scenario(text, "test.toml", overrides);
  return scenarios::run_once(cells.front(), scheduler, repetition, {}, nullptr);
}

// Whether the machine was quick enough for what the run measured; a test of how long something took
// on threads can say nothing otherwise.
inline bool unspoilt(const scenarios::Outcome& outcome) {
  return outcome.validity.level == scenarios::Validity::Level::valid;
}

// The first of a few equal runs that the machine did not spoil, or the last of them.
inline scenarios::Outcome run_unspoilt(const std::string& text, std::uint32_t repetition,
                                       const scenarios::Overrides& overrides) {
  scenarios::Outcome outcome = run_scenario(text, repetition, 0, overrides);
  for (int again = 0; again < 3 && !unspoilt(outcome); ++again)
    outcome = run_scenario(text, repetition, 0, overrides);
  return outcome;
}

// Checks that no invariant is broken; on failure tells which, and how to replay the run.
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
