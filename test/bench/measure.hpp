// What one run of a benchmark yields, and how it is taken: in a process of its own, so that no
// measure inherits the memory or the threads of another.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace rhizome::bench {

// What to run: gossip with half as many tokens of 100 bytes as peers, for `seconds` of real time.
struct Load {
  std::uint32_t peers = 0;
  double seconds = 0;
};

struct Measurement {
  double messages = 0;        // handled by all peers together
  double seconds = 0;         // of real time, start-up apart
  double startup = 0;         // seconds from nothing to all peers running
  double resident_bytes = 0;  // grown since before the start
  [[nodiscard]] double rate() const { return seconds > 0 ? messages / seconds : 0; }
};

using Run = std::function<Measurement(const Load&)>;

// Runs in a forked child; nothing when the child failed, which has said why on the error stream.
[[nodiscard]] std::optional<Measurement> in_child(const Run& run, const Load& load);

// The memory that this process occupies at present.
[[nodiscard]] double resident_bytes();

// Seconds of real time since the construction.
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  std::int64_t begin_;  // nanoseconds
};

// The middle one, or the mean of the middle two; the values must not be empty.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace rhizome::bench
