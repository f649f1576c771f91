// The tasks at a peer: waiting tasks, which may go to a neighbour, in the order of its discipline;
// tasks at its server, which stay; and how long tasks took here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "agents/server.hpp"
#include "agents/task_queue.hpp"
#include "agents/vector/messages.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::vectors {

class LocalTasks {
 public:
  // `history` counts as the mean time of tasks until the first is done. Where a discipline divides
  // the processors, `beside` tasks share them in addition to one for each processor.
  LocalTasks(const Capacity& capacity, core::Duration history, std::size_t beside = 0)
      : server_(capacity, Server::Told::by_scheduler),
        queue_(capacity),
        at_once_(capacity.slots + beside),
        unsaid_history_(history) {}

  // Puts the task into the queue, unless it waits or runs here already.
  void add(const Task& task) {
    if (here_.insert(task.id).second) queue_.push(task);
  }
  // Takes the last of the waiting tasks, at most `count`, in their order.
  [[nodiscard]] std::vector<Task> take(std::uint32_t count) {
    std::vector<Task> taken;
    for (; taken.size() < count && !queue_.empty();) taken.push_back(queue_.pop_last());
    for (const Task& task : taken) here_.erase(task.id);
    std::reverse(taken.begin(), taken.end());
    return taken;
  }
  // Drops a task that another peer has done.
  template <class E>
  void drop(E& env, TaskId id) {
    if (here_.erase(id) == 0) return;
    server_.withdraw(env, {id});
    queue_.erase_if([id](const Task& task) { return task.id == id; });
  }

  // Begins the tasks that would be served at once, in order.
  template <class E>
  void start(E& env) {
    while (!queue_.empty() && fits(queue_.front(), env.now())) server_.accept(env, queue_.pop());
  }
  [[nodiscard]] bool fits(const Task& task, core::Time now) const {
    return server_.would_serve(task, now, at_once_);
  }
  // Begins a task that waited elsewhere, and fits.
  template <class E>
  void run(E& env, const Task& task) {
    if (here_.insert(task.id).second) server_.accept(env, task);
  }
  // Returns the task that has ended; nothing where the work was no task.
  template <class E>
  std::optional<Task> finish(E& env, const core::WorkDone& done) {
    const auto task = server_.finish(env, done);
    if (!task) return {};
    here_.erase(task->id);
    total_ += core::seconds(server_.given(done));
    ++done_;
    return task;
  }
  template <class E>
  void on(E& env, const DivideDue& due) {
    server_.on(env, due);
  }
  template <class E>
  void stop(E& env) {
    server_.stop(env);
    queue_.clear();
    here_.clear();
  }

  // waiting(): the tasks that may go to a neighbour. crowd(): these, and the tasks at the server
  // beyond one for each processor.
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] std::size_t crowd() const { return queue_.size() + server_.excess(); }
  [[nodiscard]] bool idle() const { return queue_.empty() && server_.idle(); }
  [[nodiscard]] bool waits(TaskId id) const {
    return here_.contains(id) && !server_.residents().contains(id);
  }
  // All tasks that wait or run.
  [[nodiscard]] const std::set<TaskId>& here() const { return here_; }
  [[nodiscard]] double free_memory() const { return server_.free().memory; }
  // The mean time of the tasks done here.
  [[nodiscard]] core::Duration history() const {
    return done_ == 0 ? unsaid_history_ : core::from_seconds(total_ / static_cast<double>(done_));
  }
  // The time until a processor is expected to be free: the shortest rest of the running tasks, if
  // they take the mean time; 0 while a processor is free.
  [[nodiscard]] core::Duration left(core::Time now) const {
    if (server_.free().cpus > 0 || server_.residents().empty()) return core::Duration{0};
    core::Duration least = core::Duration::max();
    for (const auto& [id, resident] : server_.residents()) {
      if (resident.rate == 0) continue;
      least = std::min(least, at_rate(history() - server_.attained(resident, now), resident.rate));
    }
    return least == core::Duration::max() ? core::Duration{0} : std::max(core::Duration{0}, least);
  }

 private:
  // How long that much service takes at that rate.
  static core::Duration at_rate(core::Duration service, double rate) {
    return rate == 1 ? service : core::from_seconds(core::seconds(service) / rate);
  }

  Server server_;
  TaskQueue<Task> queue_;
  std::size_t at_once_;
  core::Duration unsaid_history_;
  std::set<TaskId> here_;
  double total_ = 0;  // seconds
  std::uint64_t done_ = 0;
};

}  // namespace rhizome::agents::vectors
