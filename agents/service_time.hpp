// How long a peer works on a task.
#pragma once

#include <algorithm>
#include <chrono>

#include "agents/possible.hpp"
#include "agents/task.hpp"
#include "core/peer/work.hpp"

namespace rhizome::agents {

// With a processor for each that it asks for; no longer than anything can take.
[[nodiscard]] inline core::Duration service_time(const Task& task, double speed) {
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  const Nanoseconds slowed = Nanoseconds(task.duration) / speed;
  return std::chrono::duration_cast<core::Duration>(
      std::min<Nanoseconds>(slowed, Nanoseconds(longest_time)));
}

// When that is over which begins then; no later than any clock counts, where a plan leads beyond.
[[nodiscard]] inline core::Time end_of(core::Time start, core::Duration service) {
  return start > core::Time::max() - service ? core::Time::max() : start + service;
}

[[nodiscard]] inline core::Work work_of(const Task& task, core::Duration service) {
  return {.recipe = task.recipe, .duration = service, .seed = subject_of(task.id)};
}

}  // namespace rhizome::agents
