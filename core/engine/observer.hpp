// An observer: follows a run from outside, and may ask it to stop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "core/engine/foreseen.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

class Board;
class FactCount;
class Nodes;
class Pace;
class Steering;

// The objects that it points to outlive the run. Its functions must not throw. Except for
// `foresee`, they are called by the thread that conducts the run, while the thread that called
// Engine::run waits for it.
struct Observer {
  // Ends the run soon once it is true; may be set from a signal handler.
  const std::atomic<bool>* stop = nullptr;
  // Called about ten times a second of real time.
  std::function<void(Time now)> tick{};
  // Called once, before the run is built: by the planner of the run, not by engines.
  std::function<void(Foreseen&&)> foresee{};
  // Called once, before the first event: from now on the board may be read, from any thread.
  std::function<void(const Board&)> watch{};
  // Called once the last event has been handled, or the run has failed: no thread may read the
  // board once this has returned. Until then the board says how the run ended.
  std::function<void()> unwatch{};
  // How fast a run in virtual time goes; none: as fast as it can. Runs on threads have no other
  // pace than their clock's.
  Pace* pace = nullptr;
  // Where faults by hand come from, on any engine that runs all peers; none: the run cannot be
  // steered. Its cut is to be among the links of the run.
  Steering* steering = nullptr;
  // Machines that do the work of peers; none: this process does. For runs on threads, and for the
  // planner of the run.
  Nodes* nodes = nullptr;
  // Counts one type of fact while the run goes on; none: no count. Shared with the run, because
  // threads that StuckPeer leaves behind may still write it when the observer has gone.
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
