// An observer: whoever follows a run from outside, and may ask it to stop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "core/peer/time.hpp"

namespace rhizome::core {

class Board;
class FactCount;

// What it points to outlives the run.
struct Observer {
  // Ends the run soon once it is true; may be set from a signal handler.
  const std::atomic<bool>* stop = nullptr;
  // Called about ten times a second of real time, from the thread that called Engine::run.
  std::function<void(Time now)> tick{};
  // Made for as many peers as the run has; none: nobody looks. Shared with the run, because threads
  // that StuckPeer leaves behind may still write it when the observer has gone.
  std::shared_ptr<Board> board{};
  // Of one type of fact, while the run goes on; none: nobody counts. Shared as the board is.
  std::shared_ptr<FactCount> counted{};
};

}  // namespace rhizome::core
