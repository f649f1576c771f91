// An observer: whoever follows a run from outside, and may ask it to stop.
#pragma once

#include <atomic>
#include <functional>

#include "core/peer/time.hpp"

namespace rhizome::core {

class Board;

// What it refers to outlives the run.
struct Observer {
  // Ends the run soon once it is true; may be set from a signal handler.
  const std::atomic<bool>* stop = nullptr;
  // Called about ten times a second of real time, from the thread that called Engine::run.
  std::function<void(Time now)> tick{};
  // Made for as many peers as the run has; none: nobody looks.
  Board* board = nullptr;
};

}  // namespace rhizome::core
