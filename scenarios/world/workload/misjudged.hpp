// Tasks whose durations are not known beforehand: the estimate of each is wrong by a random factor.
#pragma once

#include <cstdint>
#include <memory>

#include "agents/arrivals.hpp"

namespace rhizome::scenarios {

// The same jobs, with each estimate multiplied by a lognormal factor of median 1. `sigma` is the
// standard deviation of its logarithm. The factor depends only on the seed and the id of the task.
// With a sigma of 0 nothing changes.
[[nodiscard]] std::unique_ptr<agents::Arrivals> misjudged(std::unique_ptr<agents::Arrivals> jobs,
                                                          double sigma, std::uint64_t seed);

}  // namespace rhizome::scenarios
