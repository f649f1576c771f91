#include "tools/serve/job_watch.hpp"

#include <utility>

namespace rhizome::tools {

JobWatch::Waiter::~Waiter() {
  const std::scoped_lock lock(watch_.mutex_);
  std::erase(watch_.waiters_, this);
}

bool JobWatch::Waiter::wait(Clock::time_point until) {
  std::unique_lock lock(watch_.mutex_);
  rung_.wait_until(lock, until, [this] { return changed_ || watch_.ended_; });
  return std::exchange(changed_, false) && !watch_.ended_;
}

auto JobWatch::enter(std::uint64_t job, std::size_t most) -> std::unique_ptr<Waiter> {
  const std::scoped_lock lock(mutex_);
  if (waiters_.size() >= most) return {};
  auto waiter = std::make_unique<Waiter>(*this, job);
  waiters_.push_back(waiter.get());
  return waiter;
}

void JobWatch::changed(std::uint64_t job) {
  const std::scoped_lock lock(mutex_);
  for (Waiter* const waiter : waiters_) {
    if (waiter->job_ != job) continue;
    waiter->changed_ = true;
    waiter->rung_.notify_one();
  }
}

void JobWatch::end() {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  for (Waiter* const waiter : waiters_) waiter->rung_.notify_one();
}

}  // namespace rhizome::tools
