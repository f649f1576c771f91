// The executor of a peer: its slots, its speed and its memory. A scheduler owns one and hands it
// tasks; it turns them into work, and says in facts when each began and ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/facts.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {

// What a peer can carry.
struct Capacity {
  double speed = 1.0;       // a task takes duration / speed; above 0
  std::uint32_t slots = 1;  // tasks at a time
  double memory = 1.0;      // in units of a standard peer's
};

class Executor {
 public:
  explicit Executor(Capacity capacity) : capacity_(capacity) {}

  [[nodiscard]] const Capacity& capacity() const { return capacity_; }
  [[nodiscard]] std::uint32_t free_slots() const {
    return capacity_.slots - static_cast<std::uint32_t>(running_.size());
  }
  [[nodiscard]] bool idle() const { return running_.empty(); }
  // A slot is free, and memory is, or nothing runs: a task too large for any peer runs alone.
  [[nodiscard]] bool fits(const Task& task) const {
    return free_slots() > 0 && (idle() || memory_used_ + task.memory <= capacity_.memory);
  }

  // Starts a task that fits.
  template <class P>
  void start(core::Env<P>& env, const Task& task) {
    const auto slowed = std::chrono::duration<double, std::nano>(task.duration) / capacity_.speed;
    const core::WorkId work =
        env.work({.kind = task.kind,
                  .duration = std::chrono::duration_cast<core::Duration>(slowed),
                  .order = task.order,
                  .seed = subject_of(task.id)});
    running_.push_back({work, task});
    memory_used_ += task.memory;
    env.note(facts::about(facts::task_started, task.id));
  }

  // Frees what a finished task held and returns it; nothing when the work is not ours.
  template <class P>
  std::optional<Task> finish(core::Env<P>& env, const core::WorkDone& done) {
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (running_[i].work != done.id) continue;
      const Task task = running_[i].task;
      release(i);
      core::Fact fact = facts::about(facts::task_executed, task.id);
      fact.value = core::seconds(done.took);
      env.note(fact);
      return task;
    }
    return {};
  }

  // Stops everything; the tasks are not executed.
  template <class P>
  void stop_all(core::Env<P>& env) {
    for (const Running& running : running_) env.stop(running.work);
    running_.clear();
    memory_used_ = 0;
  }

 private:
  struct Running {
    core::WorkId work;
    Task task;
  };
  void release(std::size_t i) {
    memory_used_ -= running_[i].task.memory;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  Capacity capacity_;
  std::vector<Running> running_;
  double memory_used_ = 0;
};

}  // namespace rhizome::agents
