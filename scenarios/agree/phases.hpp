// A run by phases: how far it had come in time and in messages when each tenth of its tasks had
// completed. This is where a divergence between two engines is looked for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

inline constexpr std::size_t phases = 10;

// Values at the end of each phase.
using PhaseSeries = std::array<double, phases>;

struct PhaseFigures {
  PhaseSeries seconds{};                                      // since the first submission
  std::array<PhaseSeries, core::message_classes> messages{};  // sent so far, by class
};

// Messages are known by sampling period, so they are exact to one of those. Phases that a run never
// reached have its last values.
[[nodiscard]] PhaseFigures phases_of(const Outcome& outcome);

// The series that tells in which phase a metric goes its own way: messages of its class, else time.
[[nodiscard]] const PhaseSeries& series_for(const PhaseFigures& figures, const std::string& metric);

}  // namespace rhizome::scenarios
