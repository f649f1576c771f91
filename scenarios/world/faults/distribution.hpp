// How long peers stay and how long they are away: durations drawn by inverse transform from streams
// of our own, so that the same draws with another mean give the same history, stretched.
#pragma once

#include <cstdint>

#include "core/peer/rng.hpp"
#include "core/peer/time.hpp"

namespace rhizome::scenarios {

struct Spread {
  enum class Kind : std::uint8_t {
    constant,     // always the mean; draws nothing
    exponential,  // memoryless
    pareto,       // shifted to begin at 0, as Yao, Leonard, Wang and Loguinov 2006 model lifetimes
    weibull       // as Stutzbach and Rejaie 2006 found sessions to be, with shapes below 1
  };
  Kind kind = Kind::exponential;
  core::Duration mean{0};
  double shape = 0;  // pareto: above 1, more is lighter a tail; weibull: below 1 is heavy; 0: usual

  // Positive, at least a microsecond, so that no history is without end.
  [[nodiscard]] core::Duration draw(core::Rng& rng) const;
};

// The shape that stands for 0: 3 for pareto and 0.5 for weibull, as in the sources.
[[nodiscard]] double usual_shape(Spread::Kind kind);

}  // namespace rhizome::scenarios
