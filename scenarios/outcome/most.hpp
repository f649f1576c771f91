// How much one scenario may compare. What reads outcomes takes memory and time for each of these,
// so that a store with more is refused.
#pragma once

#include <cstddef>

namespace rhizome::scenarios {

inline constexpr std::size_t most_schedulers = 1000;  // labels
inline constexpr std::size_t most_cells = 10'000;     // that the lists of a sweep span

}  // namespace rhizome::scenarios
