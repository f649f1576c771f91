// The phases of a run: the time and the messages that it had taken when each tenth of its tasks had
// completed. They show where two engines begin to diverge.
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

inline constexpr std::size_t phase_ranks = 3;  // metrics cover so many of the most loaded peers

// The figures depend on what the run kept: without samples there are no totals, and without a
// message log there are no ranks.
struct PhaseFigures {
  PhaseSeries seconds{};      // since the first submission, in seconds
  PhaseSeries utilisation{};  // of all slots, since the first submission
  using Totals = std::array<PhaseSeries, core::message_classes>;
  std::optional<Totals> messages{};  // sent until then, by class
  // The messages, by class, that the most loaded peer, the second and the third had sent and
  // received at the end of each phase.
  using Ranks = std::array<std::array<PhaseSeries, phase_ranks>, core::message_classes>;
  std::optional<Ranks> ranked_messages{};
};

// Totals are exact to one sampling period. The message log has only messages that arrived, so ranks
// omit lost messages. Phases that the run did not reach have the values of its last completion.
[[nodiscard]] PhaseFigures phases_of(const Outcome& outcome);

// The values of one metric by phase; null if they are not known.
[[nodiscard]] const PhaseSeries* series_for(const PhaseFigures& figures, const std::string& metric);

}  // namespace rhizome::tools
