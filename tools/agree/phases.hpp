// A run by phases: how far it had come in time and in messages when each tenth of its tasks had
// completed. This is where a divergence between two engines is looked for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

inline constexpr std::size_t phases = 10;

// Values at the end of each phase.
using PhaseSeries = std::array<double, phases>;

inline constexpr std::size_t phase_ranks = 3;  // most loaded peers that metrics ask for

// What is known of a run depends on what it kept: without samples there are no totals, without a
// log of its messages there is nobody to rank.
struct PhaseFigures {
  PhaseSeries seconds{};      // since the first submission
  PhaseSeries utilisation{};  // of the slots up to there
  using Totals = std::array<PhaseSeries, core::message_classes>;
  std::optional<Totals> messages{};  // sent so far, by class
  // By class: sent and received so far by the peer that was the most loaded at that point, by the
  // second and by the third.
  using Ranks = std::array<std::array<PhaseSeries, phase_ranks>, core::message_classes>;
  std::optional<Ranks> ranked_messages{};
};

// Totals are known by sampling period, so they are exact to one of those. The log has only messages
// that arrived, so ranks leave out what was lost. Phases that a run never reached have its last
// values.
[[nodiscard]] PhaseFigures phases_of(const Outcome& outcome);

// The course of a metric itself; null where it is not known.
[[nodiscard]] const PhaseSeries* series_for(const PhaseFigures& figures, const std::string& metric);

}  // namespace rhizome::tools
