// How often something may be asked for: a bucket of tokens that fills up steadily (leaky bucket as
// a meter, ITU-T I.371).
#pragma once

#include <chrono>
#include <mutex>
#include <optional>

namespace rhizome::tools {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  // A rate a second, with a burst of as many after a second of rest, at least one. 0: no limit.
  explicit RateLimit(double per_second) : rate_(per_second), tokens_(burst()) {}

  // Nothing where it may be done now, which takes a token; else how long until it may. Times do not
  // go back. From any thread.
  [[nodiscard]] std::optional<std::chrono::duration<double>> wait(Clock::time_point now);

 private:
  [[nodiscard]] double burst() const { return rate_ > 1 ? rate_ : 1; }

  const double rate_;
  std::mutex mutex_;
  double tokens_;
  std::optional<Clock::time_point> last_{};
};

}  // namespace rhizome::tools
