#include "scenarios/experiment/worker_pool.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/engine/limits.hpp"

namespace rhizome::scenarios {

namespace {

using Clock = std::chrono::steady_clock;

// The time between two looks at the runs of helpers where nothing else wakes the thread.
constexpr std::chrono::milliseconds glance{20};
// Runs handed out ahead, for each run that can be done at the same time.
constexpr std::size_t ahead_of_each = 2;

std::string again_text(std::size_t runs) {
  if (runs == 0) return "it had no run";
  if (runs == 1) return "its run is handed out again";
  return fmt::format("its {} runs are handed out again", runs);
}

}  // namespace

WorkerPool::WorkerPool(std::size_t runs, Run run, const std::atomic<bool>* stop, unsigned workers,
                       Abroad abroad)
    : run_(std::move(run)),
      stop_(stop),
      workers_(workers),
      abroad_(std::move(abroad)),
      done_(runs),
      run_queue_(runs, ahead_of_each * workers) {
  for (unsigned i = 0; i < std::min<std::size_t>(workers_, runs); ++i)
    if (!add_worker()) break;
  if (abroad_.helpers != nullptr) begin_to_lead();
}

WorkerPool::~WorkerPool() { abandon(); }

void WorkerPool::begin_to_lead() {
  try {
    threads_.emplace_back([this] { lead(); });
  } catch (const std::system_error& error) {
    abandon();
    throw core::LimitExceeded(std::string("the system refused a thread for the other processes: ") +
                              error.what());
  }
}

void WorkerPool::abandon() {
  {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

auto WorkerPool::take(std::size_t i) -> Result {
  std::unique_lock lock(mutex_);
  run_queue_.await(i);
  changed_.notify_all();
  changed_.wait(lock, [&] { return done_[i].ready; });
  run_queue_.await(i + 1);
  changed_.notify_all();
  return std::move(done_[i]);
}

std::size_t WorkerPool::ahead() {
  const std::scoped_lock lock(mutex_);
  return run_queue_.ahead();
}

bool WorkerPool::add_worker() {
  try {
    threads_.emplace_back([this] { work(); });
    return true;
  } catch (const std::system_error& error) {
    if (!threads_.empty()) return false;
    throw core::LimitExceeded(std::string("the system refused a thread to run in: ") +
                              error.what());
  }
}

// This process may have to do runs that other processes have, because they are lost or late.
std::optional<std::size_t> WorkerPool::await_run(std::unique_lock<std::mutex>& lock) {
  std::optional<std::size_t> mine;
  const auto ready = [&] {
    if (abandoned_ || run_queue_.finished()) return true;
    mine = run_queue_.next(0, Clock::now());
    return mine.has_value();
  };
  if (abroad_.helpers == nullptr)
    changed_.wait(lock, ready);
  else
    while (!changed_.wait_for(lock, glance, ready)) {
    }
  return mine;
}

void WorkerPool::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    const std::optional<std::size_t> mine = await_run(lock);
    if (!mine) return;
    const bool late = run_queue_.is_shared(*mine);
    lock.unlock();
    if (late) tell_late(*mine);
    put(*mine, 0, run(*mine));
  }
}

void WorkerPool::put(std::size_t run, RunQueue::Who who, Result&& result) {
  const std::scoped_lock lock(mutex_);
  result.ready = true;
  if (run_queue_.done(run, who, Clock::now())) {
    if (abroad_.helpers != nullptr && result.outcome) abroad_.helpers->credit(who);
    done_[run] = std::move(result);
  }
  changed_.notify_all();
}

auto WorkerPool::run(std::size_t mine) -> Result {
  Result result;
  if (stopped()) return result;
  try {
    result.outcome = run_(mine, result.remarks);
  } catch (...) {
    result.error = std::current_exception();
  }
  return result;
}

bool WorkerPool::going_on() {
  const std::scoped_lock lock(mutex_);
  return !abandoned_ && !run_queue_.finished();
}

void WorkerPool::lead() {
  while (going_on()) {
    if (stopped()) return give_up_abroad();
    give_orders();
    hear();
    for (const std::uint32_t lost : abroad_.helpers->newly_lost()) hand_out_again(lost);
  }
  give_up_abroad();
}

void WorkerPool::hand_out_again(std::uint32_t lost) {
  std::size_t runs = 0;
  {
    const std::scoped_lock lock(mutex_);
    runs = run_queue_.lost(lost);
    changed_.notify_all();
  }
  if (abroad_.news) abroad_.news(abroad_.helpers->fate_of(lost) + "; " + again_text(runs));
}

void WorkerPool::tell_late(std::size_t run) const {
  if (abroad_.news)
    abroad_.news(fmt::format(
        "run {} takes thrice as long as any other has, and is handed out again as well", run + 1));
}

// Gives one run to each helper in turn, so that few runs are spread over many helpers.
void WorkerPool::give_orders() {
  for (bool more = true; more;) {
    more = false;
    for (const std::uint32_t process : abroad_.helpers->idle()) more |= give_order(process);
  }
}

bool WorkerPool::give_order(std::uint32_t process) {
  std::optional<std::size_t> next;
  bool late = false;
  {
    const std::scoped_lock lock(mutex_);
    run_queue_.look_ahead(ahead_of_each * (workers_ + abroad_.helpers->slots()));
    next = run_queue_.next(process, Clock::now());
    late = next && run_queue_.is_shared(*next);
  }
  if (!next) return false;
  if (late) tell_late(*next);
  if (abroad_now_.insert(*next).second && abroad_.begin) abroad_.begin(*next);
  abroad_.helpers->order(process, *next);
  return true;
}

// An answer to a run that was not ordered is ignored.
void WorkerPool::hear() {
  auto news = abroad_.helpers->hear(glance);
  if (!news || !abroad_now_.contains(news->run)) return;
  const auto run = static_cast<std::size_t>(news->run);
  if (!news->outcome) {
    const std::scoped_lock lock(mutex_);
    run_queue_.failed(run, news->from);
    changed_.notify_all();
    return;
  }
  abroad_now_.erase(run);
  if (abroad_.over) abroad_.over(run);
  put(run, news->from,
      {.outcome = std::move(news->outcome), .remarks = std::move(news->remarks), .error = {}});
}

// The results of runs in other processes are not needed any more. When stopped, each such run gets
// an empty result.
void WorkerPool::give_up_abroad() {
  for (const std::size_t run : std::exchange(abroad_now_, {})) {
    if (abroad_.over) abroad_.over(run);
    if (stopped()) put(run, 1, {});
  }
}

}  // namespace rhizome::scenarios
