// What tasks need of a peer and peers have to give: one measure of both.
#pragma once

#include <cstdint>

#include "agents/discipline.hpp"
#include "agents/task.hpp"

namespace rhizome::agents {

struct Resources {
  std::uint32_t cpus = 1;
  double memory = 0;

  [[nodiscard]] bool within(const Resources& other) const {
    return cpus <= other.cpus && memory <= other.memory;
  }
  friend Resources operator+(const Resources& a, const Resources& b) {
    return {a.cpus + b.cpus, a.memory + b.memory};
  }
};

[[nodiscard]] inline Resources resources_of(const Task& task) { return {task.cpus, task.memory}; }

// What a peer can carry.
struct Capacity {
  double speed = 1.0;         // a task takes duration / speed; above 0
  std::uint32_t slots = 1;    // processors: tasks of one each at a time
  double memory = 1.0;        // in units of a standard peer's
  DisciplineId discipline{};  // of its server

  [[nodiscard]] Resources room() const { return {slots, memory}; }
};

}  // namespace rhizome::agents
