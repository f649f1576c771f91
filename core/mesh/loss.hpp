// The loss of a process: when it was noticed, and what had been received from it until then.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/peer/burden.hpp"

namespace rhizome::core {

struct ProcessLoss {
  using RealTime = std::chrono::steady_clock::time_point;

  std::uint32_t process = 0;
  std::string why;        // "its connection broke"
  RealTime last_heard{};  // here
  RealTime noticed{};
};

// Packets that crossed between this process and another in a run.
struct CrossingLedger {
  std::uint64_t handed_over = 0;  // packets put into the link, whether they came there or not
  std::uint64_t received = 0;     // packets
  std::uint64_t came_in = 0;      // packets, and news of lives
  BurdensByClass burdens{};       // of the packets handed over
};

}  // namespace rhizome::core
