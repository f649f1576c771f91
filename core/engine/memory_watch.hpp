// A watch on memory: a run whose messages pile up, because peers cannot keep up, takes more and
// more of it, until the system kills the process with all that it has done.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "core/engine/limits.hpp"

namespace rhizome::core {

class MemoryWatch {
 public:
  using RealTime = std::chrono::steady_clock::time_point;

  // To be called now and then. Throws LimitExceeded, with the figures and the remedy, where all but
  // a sixteenth of the room is taken; or three quarters, if at the pace of the last second the rest
  // is taken before thousands of threads have stopped, for which two seconds are reckoned.
  void look(const MemoryRoom& room, RealTime now);

 private:
  struct MemoryReading {
    RealTime at;
    std::uint64_t taken;
  };
  std::deque<MemoryReading> seen_;  // within the last second, and at least the last one
};

}  // namespace rhizome::core
