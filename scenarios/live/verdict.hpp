// The verdict on a run on threads that is not over: the verdict if it ended now, as far as that can
// be known. Standstills of single peers are judged at the end only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scenarios/live/frame.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios::live {

// As in judge_validity: for each measure, 99 of 100 must be within the tolerance for a valid run,
// and within four times that for a suspect one.
[[nodiscard]] inline Validity::Level verdict_so_far(const Totals& totals) {
  const auto too_many = [](std::uint64_t late, std::uint64_t seen) { return 100 * late > seen; };
  Validity::Level level = Validity::Level::valid;
  for (const Lateness& measure : totals.lateness) {
    if (too_many(measure.very_late, measure.seen)) return Validity::Level::invalid;
    if (too_many(measure.late, measure.seen)) level = Validity::Level::suspect;
  }
  return level;
}

// The share of packets, timers and work ends that were late.
[[nodiscard]] inline double late_share(const Totals& totals) {
  std::uint64_t late = 0;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(core::Vitals::Measure::handler); ++i) {
    late += totals.lateness[i].late;
    seen += totals.lateness[i].seen;
  }
  return static_cast<double>(late) / static_cast<double>(std::max<std::uint64_t>(seen, 1));
}

}  // namespace rhizome::scenarios::live
