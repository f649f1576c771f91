// A computation that is a loop of ours, in the thread that begins it.
#pragma once

#include <functional>
#include <utility>

#include "core/work/computation.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::core {

class Loop final : public Computation {
 public:
  // Asks the throttle between steps, each of a few milliseconds at most, whether to go on, and
  // returns soon once it is not to.
  using Body = std::function<Result(Throttle&)>;

  explicit Loop(Body body) : body_(std::move(body)) {}
  void begin(Done done) override {
    throttle_.begin();
    done(body_(throttle_));
  }
  void pace(double rate) override { throttle_.pace(rate); }
  void cancel() override { throttle_.cancel(); }

 private:
  Body body_;
  Throttle throttle_;
};

}  // namespace rhizome::core
