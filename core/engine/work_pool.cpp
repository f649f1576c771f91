#include "core/engine/work_pool.hpp"

#include <algorithm>

#include "core/engine/kernel.hpp"

namespace rhizome::core {

void WorkPool::submit(const Job& job) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(job);
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
    lock.unlock();
    done_(job, multiply_matrices(job.work.order, job.work.seed));
    lock.lock();
  }
}

void WorkPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace rhizome::core
