#include "tools/serve/limits.hpp"

#include <algorithm>

namespace rhizome::tools {

std::optional<std::chrono::duration<double>> RateLimit::wait(Clock::time_point now) {
  if (rate_ <= 0) return {};
  const std::scoped_lock lock(mutex_);
  const std::chrono::duration<double> passed =
      last_ ? std::max(now, *last_) - *last_ : Clock::duration::zero();
  last_ = last_ ? std::max(now, *last_) : now;
  tokens_ = std::min(burst(), tokens_ + passed.count() * rate_);
  if (tokens_ < 1) return std::chrono::duration<double>((1 - tokens_) / rate_);
  tokens_ -= 1;
  return {};
}

}  // namespace rhizome::tools
