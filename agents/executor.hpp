// The executor of a peer, for schedulers that decide by themselves what it begins when: its slots,
// its speed, its memory and what else it has. It turns tasks into work, and says in facts when each
// began and ended. Where tasks just come and wait, a Server is all that is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "agents/facts.hpp"
#include "agents/resources.hpp"
#include "agents/service_time.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {

class Executor {
 public:
  explicit Executor(Capacity capacity) : capacity_(capacity) {}

  [[nodiscard]] const Capacity& capacity() const { return capacity_; }
  [[nodiscard]] std::uint32_t free_slots() const {
    return used_.cpus < capacity_.slots ? capacity_.slots - used_.cpus : 0;
  }
  [[nodiscard]] double free_memory() const { return capacity_.memory - used_.memory; }
  [[nodiscard]] Resources free() const {
    return {free_slots(), free_memory(), capacity_.named - used_.named};
  }
  [[nodiscard]] bool idle() const { return running_.empty() && used_.cpus == 0; }
  // What it needs is free, or nothing runs: a task too large for any peer runs alone.
  [[nodiscard]] bool fits(const Task& task) const {
    return idle() || resources_of(task).within(free());
  }

  // Holds room for a task that is to come.
  void reserve(const Task& task) { occupy(task); }
  void release(const Task& task) {
    used_.cpus -= task.cpus;
    used_.memory = used_.cpus == 0 ? 0 : used_.memory - task.memory;  // rounding does not add up
    used_.named = used_.named - task.named;
  }

  // Starts a task that fits.
  template <class Env>
  void start(Env& env, const Task& task) {
    const core::WorkId work = env.work(work_of(task, service_time(task, capacity_.speed)));
    running_.push_back({work, task});
    occupy(task);
    env.note(TaskStarted{task.id});
  }

  // Frees what a finished task held and returns it; nothing when the work is not ours.
  template <class Env>
  std::optional<Task> finish(Env& env, const core::WorkDone& done) {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (running_[i].work != done.id) continue;
      Task task = remove(i);
      note_executed(env, task.id, done.took, done.result);
      return task;
    }
    return {};
  }

  // Stops one task, if it runs here; it is not executed.
  template <class Env>
  void stop(Env& env, TaskId id) {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (running_[i].task.id != id) continue;
      env.stop(running_[i].work);
      remove(i);
      return;
    }
  }

  // Stops everything, and forgets what is reserved.
  template <class Env>
  void stop_all(Env& env) {
    for (const Running& running : running_) env.stop(running.work);
    running_.clear();
    used_ = {0, 0};
  }

 private:
  struct Running {
    core::WorkId work;
    Task task;
  };
  void occupy(const Task& task) { used_ = used_ + resources_of(task); }
  Task remove(std::size_t i) {
    release(running_[i].task);
    Task task = std::move(running_[i].task);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    return task;
  }

  Capacity capacity_;
  std::vector<Running> running_;
  Resources used_{0, 0};
};

}  // namespace rhizome::agents
