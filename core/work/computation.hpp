// A computation: how a piece of work is really done, such as by a loop of ours, or by a child
// process that is stopped and continued by signals.
#pragma once

#include <functional>

#include "core/peer/interface.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

class Computation : public Interface {
 public:
  // Called with the result, and whether it is right.
  using Done = std::function<void(Result)>;

  // Nothing of the computation is left afterwards: if it still goes on, it is cancelled, and its
  // end awaited.
  virtual ~Computation() = default;

  // Called once, in a thread for this purpose: it may run until the end, or return and let the
  // computation go on. In either case `done` is called once, from any thread, when nothing of the
  // computation goes on any more; after a cancellation the result means nothing. Where begin()
  // throws, nothing has begun, and `done` is never called.
  virtual void begin(Done done) = 0;
  // pace() and cancel() come at any time, also before the computation begins and after its end,
  // from any thread; they return soon and never call `done` themselves. From now on it goes on at
  // that rate: 1 all the time, 0 suspended, between them that share of the time.
  virtual void pace(double rate) = 0;
  // Ends the computation at once, with all that belongs to it.
  virtual void cancel() = 0;
  // Whether another machine does it: it takes no core of this one, and begin() returns soon,
  // neither throws nor calls `done` itself.
  [[nodiscard]] virtual bool elsewhere() const { return false; }
};

}  // namespace rhizome::core
