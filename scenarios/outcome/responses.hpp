// Response times of jobs in order of arrival, from which distributions, quantiles and the end of
// the warm-up are computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Times of completed jobs, in order of arrival.
struct Responses {
  std::vector<double> response;  // from its arrival to the end of its last task, in seconds
  std::vector<double> stretch;   // response over work at speed 1, for jobs with work
  std::vector<double> wait;      // of tasks that began, from their submission to their start
};
[[nodiscard]] Responses responses_of(const Outcome& outcome);

// The number of values at the beginning that belong to the warm-up by MSER-5 (White, Cobb and
// Spratt 2000): those before the batches of five whose mean has the least squared standard error.
// At most half of all; 0 for fewer than 20 values.
[[nodiscard]] std::size_t warm_up_of(std::span<const double> values);

// The values without the warm-up.
[[nodiscard]] std::span<const double> steady_of(std::span<const double> values);

}  // namespace rhizome::scenarios
