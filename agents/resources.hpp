// The needs of tasks and the capacities of peers, in one measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "agents/amounts.hpp"
#include "agents/discipline.hpp"
#include "agents/task.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::agents {

struct Resources {
  std::uint32_t cpus = 1;
  double memory = 0;
  Amounts named{};

  [[nodiscard]] bool within(const Resources& other) const {
    return cpus <= other.cpus && memory <= other.memory && named.within(other.named);
  }
  // All resources but processors.
  [[nodiscard]] Resources without_cpus() const { return {0, memory, named}; }
  // Whether a peer could have or need this amount: the least check of a stranger's message. No peer
  // has more than `most_cpus` processors, and times multiplied by that number stay within their
  // range.
  static constexpr std::uint32_t most_cpus = 100'000;
  [[nodiscard]] bool possible() const {
    return cpus > 0 && cpus <= most_cpus && std::isfinite(memory) && memory >= 0;
  }
  // The greater of each measure.
  [[nodiscard]] static Resources most(const Resources& a, const Resources& b) {
    return {std::max(a.cpus, b.cpus), std::max(a.memory, b.memory),
            Amounts::greater(a.named, b.named)};
  }
  friend Resources operator+(const Resources& a, const Resources& b) {
    return {a.cpus + b.cpus, a.memory + b.memory, a.named + b.named};
  }

  // The encoding: named resources are written only if there are any.
  void write(core::Writer& out) const {
    core::write_first(out, named != Amounts{} ? 3 : 2, cpus, memory, named);
  }
  [[nodiscard]] bool read(core::Reader& in) {
    return core::read_first(in, {2, 3}, cpus, memory, named);
  }
};

[[nodiscard]] inline Resources resources_of(const Task& task) {
  return {task.cpus, task.memory, task.named};
}
// A task of which only the needs are known.
[[nodiscard]] inline Task task_in_need(TaskId id, const Resources& needs) {
  return {.id = id, .memory = needs.memory, .cpus = needs.cpus, .named = needs.named};
}

// What a peer can carry.
struct Capacity {
  double speed = 1.0;         // a task takes duration / speed; above 0
  std::uint32_t slots = 1;    // processors: as many tasks of one processor run at a time
  double memory = 1.0;        // in units of a standard peer's
  DisciplineId discipline{};  // of the peer's server
  Amounts named{};            // of the resources that the scenario names

  [[nodiscard]] Resources room() const { return {slots, memory, named}; }
};

}  // namespace rhizome::agents
