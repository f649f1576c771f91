// Measured latencies from a file.
#pragma once

#include <cstddef>
#include <string>

#include "core/peer/latency.hpp"

namespace rhizome::scenarios {

struct MeasuredLatency {
  core::MatrixLatency::Matrix matrix;  // one way
  std::size_t unmeasured = 0;          // pairs that were not measured in either direction
};

// A square matrix of round-trip times in milliseconds, separated by tabs, commas or blanks, one row
// a line; one way is half of it. Lines that begin with # do not count, nor does a first line of
// names, with a name in front of each row, too. "nan", "-" and negative numbers stand for what was
// not measured: it is as long as the other direction, or else as the median of all. Throws
// InputError with the position of what is wrong.
[[nodiscard]] MeasuredLatency read_latency_file(const std::string& file);

}  // namespace rhizome::scenarios
