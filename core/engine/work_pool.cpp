#include "core/engine/work_pool.hpp"

#include <algorithm>

#include "core/engine/kernel.hpp"

namespace rhizome::core {

void WorkPool::submit(const Ticket& ticket, const Work& work) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) return;  // its threads are being joined
  waiting_.push_back({ticket, work});
  if (threads_.empty())
    for (unsigned i = std::max(1U, std::thread::hardware_concurrency()); i > 0; --i)
      threads_.emplace_back([this] { serve(); });
  changed_.notify_one();
}

void WorkPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const Job job = waiting_.front();
    waiting_.pop_front();
    const auto running = running_.emplace(running_.end());
    running->ticket = job.ticket;
    lock.unlock();
    const std::uint64_t result = result_of(job.work, &running->cancelled);
    lock.lock();
    const bool cancelled = running->cancelled;
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
    if (running.ticket == ticket) running.cancelled = true;
}

void WorkPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    for (Running& running : running_) running.cancelled = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace rhizome::core
