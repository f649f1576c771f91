#include "scenarios/experiment/crew.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/engine/limits.hpp"

namespace rhizome::scenarios {

Crew::Crew(std::size_t runs, Run run, const std::atomic<bool>* stop, unsigned workers)
    : run_(std::move(run)), stop_(stop), workers_(workers), done_(runs) {
  for (unsigned i = 0; i < std::min<std::size_t>(workers_, runs); ++i)
    if (!add_worker()) break;
}

Crew::~Crew() {
  {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

auto Crew::take(std::size_t i) -> Result {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_[i].ready; });
  taken_ = i + 1;
  changed_.notify_all();
  return std::move(done_[i]);
}

bool Crew::add_worker() {
  try {
    threads_.emplace_back([this] { work(); });
    return true;
  } catch (const std::system_error& error) {
    if (!threads_.empty()) return false;
    throw core::LimitExceeded(std::string("the system refused a thread to run in: ") +
                              error.what());
  }
}

void Crew::work() {
  const std::size_t ahead = 2 * std::size_t{workers_};
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return abandoned_ || next_ < taken_ + ahead; });
    if (abandoned_ || next_ >= done_.size()) return;
    const std::size_t mine = next_++;
    lock.unlock();
    Result result = run(mine);
    lock.lock();
    done_[mine] = std::move(result);
    changed_.notify_all();
  }
}

auto Crew::run(std::size_t mine) -> Result {
  Result result;
  result.ready = true;
  if (stop_ != nullptr && stop_->load()) return result;
  try {
    result.outcome = run_(mine, result.remarks);
  } catch (...) {
    result.error = std::current_exception();
  }
  return result;
}

}  // namespace rhizome::scenarios
