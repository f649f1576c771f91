// An observer: whoever follows a run from outside, and may ask it to stop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "core/engine/foreseen.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

class Board;
class FactCount;
class Pace;
class Steering;

// What it points to outlives the run. Its functions must not throw; but for `foresee`, the thread
// that conducts the run calls them, while the one that called Engine::run waits for it.
struct Observer {
  // Ends the run soon once it is true; may be set from a signal handler.
  const std::atomic<bool>* stop = nullptr;
  // Called about ten times a second of real time.
  std::function<void(Time now)> tick{};
  // Called once, before the run is built: by whoever plans it, not by engines.
  std::function<void(Foreseen&&)> foresee{};
  // Called once, before the first event: from now on the board may be read, from any thread.
  std::function<void(const Board&)> watch{};
  // Called once the last event has been handled, or the run has failed: nobody may read the board
  // once this has returned. Until then it says how the run ended.
  std::function<void()> unwatch{};
  // How fast a run in virtual time goes; none: as fast as it can. Runs on threads have no other
  // pace than their clock's.
  Pace* pace = nullptr;
  // Whence faults by hand come, on any engine that runs everybody; none: nobody may steer the run.
  // Its cut is to be among the links of the run.
  Steering* steering = nullptr;
  // Of one type of fact, while the run goes on; none: nobody counts. EngineShared with the run,
  // because threads that StuckPeer leaves behind may still write it when the observer has gone.
  std::shared_ptr<FactCount> counted{};
};

// Lets an observer watch a board as long as this lives.
class BoardWatch {
 public:
  BoardWatch(const Observer& observer, const Board& board) : observer_(observer) {
    if (observer_.watch) observer_.watch(board);
  }
  ~BoardWatch() {
    if (observer_.unwatch) observer_.unwatch();
  }
  BoardWatch(const BoardWatch&) = delete;
  BoardWatch& operator=(const BoardWatch&) = delete;

 private:
  const Observer& observer_;
};

}  // namespace rhizome::core
