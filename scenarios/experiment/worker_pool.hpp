// A worker pool: runs in virtual time go on side by side, on all cores and in processes that help,
// and their outcomes are handed over in order. Only a few runs may be ahead of the one awaited, so
// that memory stays bounded.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/experiment/helpers.hpp"
#include "scenarios/experiment/run_queue.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

class WorkerPool {
 public:
  // Does one of the runs, from any thread. Remarks on the run are added to the list.
  using Run = std::function<Outcome(std::size_t, std::vector<std::string>&)>;
  struct Result {
    // Nothing for a run that did not begin because the pool was stopped.
    std::optional<Outcome> outcome;
    std::vector<std::string> remarks;
    std::exception_ptr error;
    bool ready = false;
  };

  // Called when runs begin and end in other processes, for the hooks of runs.
  struct Abroad {
    Helpers* helpers;  // none: this process does all runs
    std::function<void(std::size_t)> begin;
    std::function<void(std::size_t)> over;
    // Called with the reason when runs are handed out again, from any thread.
    std::function<void(const std::string&)> news;
  };

  // Begins at once. Throws core::LimitExceeded where the system allows no thread.
  WorkerPool(std::size_t runs, Run run, const std::atomic<bool>* stop, unsigned workers,
             Abroad abroad = {nullptr, {}, {}, {}});
  // Waits for the runs that have begun.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Waits for that run; each is to be taken once, in order.
  [[nodiscard]] Result take(std::size_t i);
  // The most runs that may have begun after the one that was taken last.
  [[nodiscard]] std::size_t ahead();

 private:
  // Returns false when the system allows no more threads: the existing workers then do all runs.
  bool add_worker();
  void work();
  [[nodiscard]] std::optional<std::size_t> await_run(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Result run(std::size_t mine);
  void put(std::size_t run, RunQueue::Who who, Result&& result);
  void begin_to_lead();
  // Ends all threads, each once its present run is done.
  void abandon();
  // Deals with the helpers: orders, answers, losses.
  void lead();
  void give_orders();
  bool give_order(std::uint32_t process);
  void hear();
  void hand_out_again(std::uint32_t lost);
  void tell_late(std::size_t run) const;
  void give_up_abroad();
  [[nodiscard]] bool going_on();
  [[nodiscard]] bool stopped() const { return stop_ != nullptr && stop_->load(); }

  const Run run_;
  const std::atomic<bool>* stop_;
  const unsigned workers_;
  const Abroad abroad_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Result> done_;
  RunQueue run_queue_;
  std::set<std::size_t> abroad_now_;  // only the thread of lead() uses it
  bool abandoned_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace rhizome::scenarios
