// The result of one run of a benchmark. Each run is a process of its own, so that no measure
// inherits the memory or the threads of another.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace rhizome::bench {

// Seconds of real time since the construction.
class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double seconds() const;

 private:
  std::int64_t begin_;  // nanoseconds
};

// A load: gossip with half as many tokens of 100 bytes as peers, or an overlay.
struct BenchLoad {
  std::uint32_t peers = 0;
  double seconds = 0;        // of real time
  std::uint32_t cycles = 0;  // of an overlay, in place of the time; 0: by the time

  // Whether an overlay that has done so many cycles goes on.
  [[nodiscard]] bool goes_on(std::uint32_t done, const Stopwatch& running) const {
    return cycles > 0 ? done < cycles : done == 0 || running.seconds() < seconds;
  }
};

struct Measurement {
  double count = 0;           // of messages handled, or of shuffles, by all peers together
  double seconds = 0;         // of real time, start-up apart
  double startup = 0;         // seconds from nothing to all peers running
  double resident_bytes = 0;  // grown since before the start
  [[nodiscard]] double rate() const { return seconds > 0 ? count / seconds : 0; }
};

using Run = std::function<Measurement(const BenchLoad&)>;

// Runs in a forked child; nothing if the child failed, which has printed the reason on standard
// error.
[[nodiscard]] std::optional<Measurement> in_child(const Run& run, const BenchLoad& load);

// The memory that this process occupies at present.
[[nodiscard]] double resident_bytes();
// The most that it has occupied so far.
[[nodiscard]] double peak_bytes();

// The middle one, or the mean of the middle two; the values must not be empty.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace rhizome::bench
