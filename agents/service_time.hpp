// How long a peer works on a task.
#pragma once

#include <algorithm>
#include <chrono>

#include "agents/discipline.hpp"
#include "agents/possible.hpp"
#include "agents/task.hpp"
#include "core/peer/work.hpp"

namespace rhizome::agents {

// With all the processors that the task asks for. The result is no longer than longest_time.
[[nodiscard]] inline core::Duration service_time(const Task& task, double speed) {
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  const Nanoseconds slowed = Nanoseconds(task.duration) / speed;
  return std::chrono::duration_cast<core::Duration>(
      std::min<Nanoseconds>(slowed, Nanoseconds(longest_time)));
}

// When a service that begins at `start` ends; saturated at the last time of the clock.
[[nodiscard]] inline core::Time end_of(core::Time start, core::Duration service) {
  return start > core::Time::max() - service ? core::Time::max() : start + service;
}

// The rank of a waiting task under a discipline on a peer of that speed, by the estimate of the
// task.
[[nodiscard]] inline core::Duration rank_of(const Task& task, const Discipline& discipline,
                                            double speed) {
  Task told = task;
  told.duration = task.estimated();
  const auto need = static_cast<double>(service_time(told, speed).count());
  return discipline.rank({.task = told, .expected = need});
}

[[nodiscard]] inline core::Work work_of(const Task& task, core::Duration service) {
  return {.recipe = task.recipe, .duration = service, .seed = subject_of(task.id)};
}

}  // namespace rhizome::agents
