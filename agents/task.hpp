// Tasks, the pieces of work that schedulers place, and jobs, which are several of them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agents/amounts.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/declared_bytes.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// Words of core that every scheduler uses.
using core::Cause, core::Duration, core::MessageClass, core::PeerId, core::Time;

// One portion of one job.
struct TaskId {
  std::uint32_t job = 0;
  std::uint32_t portion = 0;
  friend constexpr auto operator<=>(const TaskId&, const TaskId&) = default;
};

// A number for each task: job in the upper half, portion in the lower.
[[nodiscard]] constexpr std::uint64_t subject_of(TaskId id) {
  return (std::uint64_t{id.job} << 32U) | id.portion;
}

// What a task needs to run anywhere; it travels in job messages.
struct Task {
  TaskId id{};
  core::Duration duration{0};  // on a peer of speed 1
  double memory = 0;           // in the unit of the peers'
  std::uint32_t cpus = 1;      // slots that it occupies
  core::Recipe recipe{};       // of its computation
  Amounts named{};             // of the resources that the scenario names
  // In a job whose tasks need each other: the number of tasks in the longest chain that ends with
  // this one. 0 for all other tasks, which neither wait nor are waited for.
  std::uint32_t level = 0;
  core::DeclaredBytes brings{};  // data of the tasks that it needs, which it takes along
  std::uint64_t gives = 0;       // bytes, to all tasks that need it
  // The estimate of the duration where the exact one is not known beforehand; 0: the exact one.
  core::Duration estimate{0};
  // How long after its job the task arrives. Not encoded: the client waits for it.
  core::Duration after{0};

  // What a scheduler or a server that orders tasks by their sizes may know of the duration.
  [[nodiscard]] core::Duration estimated() const {
    return estimate > core::Duration::zero() ? estimate : duration;
  }
  [[nodiscard]] bool loaded() const { return brings.bytes > 0 || gives > 0; }
  // The encoding: the level, the bytes that pass between tasks, and an estimate only if there are
  // any.
  void write(core::Writer& out) const {
    const bool guessed = estimate > core::Duration::zero();
    core::write_first(out,
                      guessed     ? 10
                      : loaded()  ? 9
                      : level > 0 ? 7
                                  : 6,
                      id, duration, memory, cpus, recipe, named, level, brings, gives, estimate);
  }
  [[nodiscard]] bool read(core::Reader& in) {
    return core::read_first(in, {6, 7, 9, 10}, id, duration, memory, cpus, recipe, named, level,
                            brings, gives, estimate);
  }
};

// A done task, and the bytes that it gives to the tasks that need it. Without bytes it is encoded
// like the task's id alone.
struct Product {
  TaskId task{};
  core::DeclaredBytes given{};

  [[nodiscard]] operator TaskId() const { return task; }  // NOLINT(google-explicit-constructor)
  void write(core::Writer& out) const {
    core::write_first(out, given.bytes > 0 ? 3 : 2, task.job, task.portion, given);
  }
  [[nodiscard]] bool read(core::Reader& in) {
    return core::read_first(in, {2, 3}, task.job, task.portion, given);
  }
  friend bool operator==(const Product&, const Product&) = default;
};

[[nodiscard]] inline Product product_of(const Task& task) { return {task.id, {task.gives}}; }

// A task of a job that must not run before another of the same job is done.
struct Dependency {
  std::uint32_t task = 0;   // its portion
  std::uint32_t needs = 0;  // portion of the other task
  std::uint64_t bytes = 0;  // given by the other task
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// Tasks that another task of the same job adds when it is done; they are not known before.
struct Growth {
  std::uint32_t by = 0;     // portion of the task that adds
  std::uint32_t first = 0;  // first of the added portions, which follow each other
  std::uint32_t count = 0;
  friend bool operator==(const Growth&, const Growth&) = default;
};

// All portions of a job are handed in together, except those that come by growth, which are the
// last ones.
struct Job {
  std::uint32_t id = 0;  // dense from 0, in order of arrival
  core::Time arrival{};
  std::vector<Task> portions;
  std::vector<Dependency> dependencies{};  // without a cycle
  std::vector<Growth> growth{};            // by their first portions; added portions follow each
                                           // other

  // Portions that exist when the job is handed in.
  [[nodiscard]] std::size_t known() const {
    return growth.empty() ? portions.size() : growth.front().first;
  }
};

// A whole experiment's work, by time of arrival.
struct Workload {
  std::vector<Job> jobs;

  [[nodiscard]] std::size_t tasks() const {
    std::size_t total = 0;
    for (const Job& job : jobs) total += job.portions.size();
    return total;
  }
};

}  // namespace rhizome::agents
