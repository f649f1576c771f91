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
// a line; the latency one way is half of it. Lines that begin with # are skipped. A first line of
// names is skipped too; then each row may begin with a name. "nan", "-" and negative numbers stand
// for pairs that were not measured: such a time is taken from the other direction, or is else the
// median of all. Throws InputError with the position of what is wrong.
[[nodiscard]] MeasuredLatency read_latency_file(const std::string& file);

}  // namespace rhizome::scenarios
