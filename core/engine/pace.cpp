#include "core/engine/pace.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

namespace {

// How long a held run waits before it looks again whether a user wants it to end.
constexpr std::chrono::milliseconds look{20};

}  // namespace

void Pace::hold() {
  const std::scoped_lock lock(mutex_);
  set_held(true);
}

void Pace::set_held(bool held) {
  if (held == held_) return;
  if (held)
    held_since_ = Clock::now();
  else
    held_for_ += Clock::now() - held_since_;
  held_ = held;
}

void Pace::go() { go_until(Time::max()); }

void Pace::step(std::uint64_t steps) {
  const std::scoped_lock lock(mutex_);
  steps_ = held_ || steps_ == unlimited ? steps : steps_ + steps;
  until_ = Time::max();
  set_held(false);
  changed_.notify_all();
}

void Pace::go_until(Time time) {
  const std::scoped_lock lock(mutex_);
  set_held(false);
  steps_ = unlimited;
  until_ = time;
  anchored_ = false;
  changed_.notify_all();
}

void Pace::set_speed(double speed) {
  const std::scoped_lock lock(mutex_);
  speed_ = speed;
  anchored_ = false;
  changed_.notify_all();
}

bool Pace::held() const {
  const std::scoped_lock lock(mutex_);
  return held_;
}

Pace::Clock::duration Pace::held_for(Clock::time_point now) const {
  const std::scoped_lock lock(mutex_);
  return held_for_ +
         (held_ ? std::max(now - held_since_, Clock::duration::zero()) : Clock::duration::zero());
}

double Pace::speed() const {
  const std::scoped_lock lock(mutex_);
  return speed_;
}

// Single steps are not slowed down, because the user waits for each.
Time Pace::limit(Time now) {
  if (speed_ <= 0 || steps_ != unlimited) return Time::max();
  if (!std::exchange(anchored_, true)) {
    from_ = now;
    since_ = Clock::now();
  }
  const std::chrono::duration<double> passed = Clock::now() - since_;
  return from_ + from_seconds(speed_ * passed.count());
}

Pace::Leave Pace::leave(Time now, Time next) {
  std::unique_lock lock(mutex_);
  if (!held_ && (steps_ == 0 || next > until_)) set_held(true);
  if (held_) {
    changed_.wait_for(lock, look, [this] { return !held_; });
    return {.steps = 0};
  }
  const Time most = limit(now);
  if (next > most) {
    changed_.wait_for(lock, look);
    return {.steps = 0};
  }
  return {.steps = steps_, .until = std::min(most, until_)};
}

void Pace::taken(std::uint64_t steps) {
  const std::scoped_lock lock(mutex_);
  if (steps_ != unlimited) steps_ -= std::min(steps_, steps);
}

}  // namespace rhizome::core
