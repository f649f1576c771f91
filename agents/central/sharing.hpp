// The split of workers between models that makes their query rates most equal: fair is an equal
// number of queries in a given time, not an equal number of workers.
#pragma once

#include <cstdint>
#include <vector>

namespace rhizome::agents::central {

// Of each model, how many of the workers it gets, at least one where there are enough; in all, as
// many as there are. `rates` are queries per second of one worker, above 0. The greatest rate of
// all models and the least differ as little as can be, for two models; of more, moving one worker
// does not lessen the difference. Of two splits that are equally fair, the one with more for the
// first.
[[nodiscard]] std::vector<std::uint32_t> share_workers(const std::vector<double>& rates,
                                                       std::uint32_t workers);

}  // namespace rhizome::agents::central
