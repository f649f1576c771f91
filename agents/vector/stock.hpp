// The tasks at a peer: those that wait, in the order in which they came, and those that its
// executor runs; and how long they took here.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agents/executor.hpp"
#include "agents/vector/messages.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class Stock {
 public:
  // `history` is what counts as the mean time of tasks until the first is done.
  Stock(const Capacity& capacity, core::Duration history)
      : executor_(capacity), unsaid_history_(history) {}

  // At the end of the queue; nothing if it waits or runs here already.
  void add(const Task& task) {
    if (here_.insert(task.id).second) queue_.push_back(task);
  }
  // The last of those that wait, at most so many.
  [[nodiscard]] std::vector<Task> take(std::uint32_t count) {
    const auto size = static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, queue_.size()));
    const std::vector<Task> taken(std::prev(queue_.end(), size), queue_.end());
    queue_.erase(std::prev(queue_.end(), size), queue_.end());
    for (const Task& task : taken) here_.erase(task.id);
    return taken;
  }
  // A task that somebody has done elsewhere.
  template <class E>
  void drop(E& env, TaskId id) {
    if (here_.erase(id) == 0) return;
    executor_.stop(env, id);
    std::erase_if(running_, [id](const Running& each) { return each.task == id; });
    std::erase_if(queue_, [id](const Task& task) { return task.id == id; });
  }

  // Begins what fits, in order.
  template <class E>
  void start(E& env) {
    while (!queue_.empty() && executor_.fits(queue_.front())) {
      begin(env, queue_.front());
      queue_.pop_front();
    }
  }
  [[nodiscard]] bool fits(const Task& task) const { return executor_.fits(task); }
  // Begins a task that waited elsewhere, and fits.
  template <class E>
  void run(E& env, const Task& task) {
    if (here_.insert(task.id).second) begin(env, task);
  }
  // The task that has ended; nothing where the work was no task.
  template <class E>
  std::optional<Task> finish(E& env, const core::WorkDone& done) {
    const auto task = executor_.finish(env, done);
    if (!task) return {};
    std::erase_if(running_, [&](const Running& each) { return each.task == task->id; });
    here_.erase(task->id);
    total_ += core::seconds(done.took);
    ++done_;
    return task;
  }
  template <class E>
  void stop(E& env) {
    executor_.stop_all(env);
    queue_.clear();
    running_.clear();
    here_.clear();
  }

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] bool idle() const { return queue_.empty() && executor_.idle(); }
  [[nodiscard]] bool waits(TaskId id) const {
    return here_.contains(id) &&
           std::none_of(running_.begin(), running_.end(),
                        [id](const Running& each) { return each.task == id; });
  }
  // All that wait or run.
  [[nodiscard]] const std::set<TaskId>& here() const { return here_; }
  [[nodiscard]] double free_memory() const { return executor_.free_memory(); }
  // The mean time of the tasks done here.
  [[nodiscard]] core::Duration history() const {
    return done_ == 0 ? unsaid_history_ : core::from_seconds(total_ / static_cast<double>(done_));
  }
  // Until a processor is expected to be free: the shortest rest of what runs, if they take the mean
  // time; 0 while one is free.
  [[nodiscard]] core::Duration left(core::Time now) const {
    if (executor_.free_slots() > 0 || running_.empty()) return core::Duration{0};
    const core::Time earliest =
        std::min_element(running_.begin(), running_.end(), [](const auto& a, const auto& b) {
          return a.since < b.since;
        })->since;
    return std::max(core::Duration{0}, history() - (now - earliest));
  }

 private:
  template <class E>
  void begin(E& env, const Task& task) {
    executor_.start(env, task);
    running_.push_back({task.id, env.now()});
  }

  struct Running {
    TaskId task;
    core::Time since{};
  };
  Executor executor_;
  core::Duration unsaid_history_;
  std::deque<Task> queue_;
  std::vector<Running> running_;
  std::set<TaskId> here_;
  double total_ = 0;  // seconds
  std::uint64_t done_ = 0;
};

}  // namespace rhizome::agents::vectors
