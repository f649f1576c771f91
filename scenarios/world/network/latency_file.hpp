// Measured latencies from a file.
#pragma once

#include <string>

#include "core/peer/latency.hpp"

namespace rhizome::scenarios {

// A square matrix of round-trip times in milliseconds, separated by tabs or commas, one row a line;
// one way is half of it. Throws InputError with the position of what is wrong.
[[nodiscard]] core::MatrixLatency::Matrix read_latency_file(const std::string& file);

}  // namespace rhizome::scenarios
