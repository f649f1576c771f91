// A computation: how a piece of work is really done. What does it is its own affair: a loop of
// ours, or a child process that is stopped and continued by signals.
#pragma once

#include <functional>

#include "core/peer/work.hpp"

namespace rhizome::core {

class Computation {
 public:
  // Says what came of it, and whether that is right.
  using Done = std::function<void(Result)>;

  Computation() = default;
  Computation(const Computation&) = delete;
  Computation& operator=(const Computation&) = delete;
  // Nothing of it is left afterwards: what still goes on is cancelled, and its end awaited.
  virtual ~Computation() = default;

  // Called once, from a thread that is there for it: it may take until the end, or return and leave
  // what was begun to itself. `done` is called once in either case, from any thread, when nothing
  // of it goes on any more; of what was cancelled, with a result that means nothing. Where it
  // throws, nothing has begun, and `done` is never called.
  virtual void begin(Done done) = 0;
  // Both come at any time, also before it begins and after its end, from any thread; they return
  // soon and never call `done` themselves. From now on it goes on at that rate: 1 all the time, 0
  // suspended, between them that share of the time.
  virtual void pace(double rate) = 0;
  // It ends at once, with all that belongs to it.
  virtual void cancel() = 0;
};

}  // namespace rhizome::core
