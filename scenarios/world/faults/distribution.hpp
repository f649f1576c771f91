// How long peers stay and how long they are away: durations drawn by inverse transform from streams
// of our own, so that the same draws with another mean give the same history, stretched.
#pragma once

#include <span>
#include <string_view>

#include "core/peer/rng.hpp"
#include "core/peer/time.hpp"

namespace rhizome::scenarios {

// A distribution of the catalogue, for lives and for outages: a line in distribution.cpp.
struct Distribution {
  std::string_view word;     // in a scenario
  std::string_view meaning;  // for lives with this distribution
  double usual_shape = 0;    // the shape that 0 stands for, as in the sources; 0: it has no shape
  // Seconds, bent from the quantile of a standard exponential.
  double (*bend)(double standard, double mean, double shape) = nullptr;
  std::string_view (*refusal)(double shape) = nullptr;  // "must be above 1", or empty
};
[[nodiscard]] std::span<const Distribution> distributions();
// The distribution of that name, which must exist.
[[nodiscard]] const Distribution& distribution(std::string_view word);

struct Spread {
  const Distribution* law = nullptr;  // none: always the mean; draws nothing
  core::Duration mean{0};
  double shape = 0;  // pareto: above 1, more is lighter a tail; weibull: below 1 is heavy; 0: usual

  // Positive, at least a microsecond, so that no history is without end.
  [[nodiscard]] core::Duration draw(core::Rng& rng) const;
};

}  // namespace rhizome::scenarios
