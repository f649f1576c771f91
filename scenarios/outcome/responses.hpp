// How long jobs took, by their order of arrival: what distributions, quantiles and the end of the
// warm-up are made of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Of the jobs that were completed, in order of arrival.
struct Responses {
  std::vector<double> response;  // from its arrival to the end of its last task, in seconds
  std::vector<double> stretch;   // that over all its work at speed 1; of jobs that have any
  std::vector<double> wait;      // of tasks that began, from their submission to their start
};
[[nodiscard]] Responses responses_of(const Outcome& outcome);

// How many values at the beginning belong to the warm-up by MSER-5 (White, Cobb and Spratt 2000):
// those in front of the batches of five whose mean has the least squared standard error. At most
// half of all; 0 of fewer than 20 values.
[[nodiscard]] std::size_t warm_up_of(std::span<const double> values);

// Without its warm-up.
[[nodiscard]] std::span<const double> steady_of(std::span<const double> values);

}  // namespace rhizome::scenarios
