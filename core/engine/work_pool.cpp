#include "core/engine/work_pool.hpp"

#include <algorithm>

#include "core/engine/kernel.hpp"

namespace rhizome::core {

void WorkPool::submit(const Ticket& ticket, const Work& work) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;  // its threads are being joined
  waiting_.push_back({ticket, work});
  add_threads();
  changed_.notify_one();
}

// So many that none is missing for one whose work is suspended.
void WorkPool::add_threads() {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  while (threads_.size() < cores + suspended_) threads_.emplace_back([this] { serve(); });
}

void WorkPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto next = waiting_.end();
    changed_.wait(lock, [&] {
      next = std::find_if(waiting_.begin(), waiting_.end(),
                          [](const Job& job) { return job.rate > 0; });
      return stopping_ || next != waiting_.end();
    });
    if (stopping_) return;
    const Job job = *next;
    waiting_.erase(next);
    const auto running = running_.emplace(running_.end());
    running->ticket = job.ticket;
    running->throttle.pace(job.rate);
    lock.unlock();
    const std::uint64_t result = result_of(job.work, &running->throttle);
    lock.lock();
    const bool cancelled = running->throttle.cancelled();
    suspended_ -= running->throttle.rate() == 0 ? 1 : 0;
    running_.erase(running);
    if (cancelled) continue;
    lock.unlock();
    done_(job.ticket, result);
    lock.lock();
  }
}

void WorkPool::cancel(const Ticket& ticket) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(waiting_, [&](const Job& job) { return job.ticket == ticket; });
  for (Running& running : running_)
    if (running.ticket == ticket) end(running);
}

void WorkPool::end(Running& running) {
  suspended_ -= running.throttle.rate() == 0 ? 1 : 0;
  running.throttle.cancel();
}

void WorkPool::pace(const Ticket& ticket, double rate) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;
  for (Job& job : waiting_)
    if (job.ticket == ticket) job.rate = rate;
  for (Running& running : running_) {
    if (!(running.ticket == ticket)) continue;
    suspended_ += rate == 0 ? 1 : 0;
    suspended_ -= running.throttle.rate() == 0 ? 1 : 0;
    running.throttle.pace(rate);
  }
  add_threads();
  changed_.notify_all();
}

void WorkPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    for (Running& running : running_) end(running);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace rhizome::core
