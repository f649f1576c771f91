// The split of workers between models that makes their query rates most equal: fair is an equal
// number of queries in a given time, not an equal number of workers.
#pragma once

#include <cstdint>
#include <vector>

namespace rhizome::agents::central {

// The number of workers for each model, at least one where there are enough; they add up to
// `workers`. `rates` are queries per second of one worker, above 0. For two models the difference
// between the rates of the models is the least possible; for more, no move of one worker lessens
// the difference between the greatest rate and the least. Of two equally fair splits, the first
// model gets more.
[[nodiscard]] std::vector<std::uint32_t> share_workers(const std::vector<double>& rates,
                                                       std::uint32_t workers);

}  // namespace rhizome::agents::central
