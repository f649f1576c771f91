// Links between two processes, measured without engines.
#pragma once

#include <cstddef>

#include "test/bench/measure.hpp"

namespace rhizome::bench {

// Frames of so many bytes from one end to the other, as many as it takes; encrypted as between
// processes, or plain.
[[nodiscard]] Run frames_one_way(bool encrypted, std::size_t bytes);

}  // namespace rhizome::bench
