// Tasks whose durations nobody knows beforehand: what is told of each errs by a factor of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "agents/arrivals.hpp"

namespace rhizome::scenarios {

// The same jobs, with estimates that are lognormal about what they were: `sigma` is the standard
// deviation of the logarithm, and the median is right. The factor of a task depends on the seed and
// on its name alone. With a sigma of 0 nothing changes.
[[nodiscard]] std::unique_ptr<agents::Arrivals> misjudged(std::unique_ptr<agents::Arrivals> jobs,
                                                          double sigma, std::uint64_t seed);

}  // namespace rhizome::scenarios
