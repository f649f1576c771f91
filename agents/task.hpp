// Tasks, the pieces of work that schedulers place, and jobs, which are several of them.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "agents/amounts.hpp"
#include "core/peer/recipe.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

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
  core::Recipe recipe{};       // what it computes
  Amounts named{};             // of the resources that the scenario names
};

// A task of a job that must not run before another of the same job is done.
struct Dependency {
  std::uint32_t task = 0;   // its portion
  std::uint32_t needs = 0;  // that of the other
  std::uint64_t bytes = 0;  // that it is given by the other
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// All portions of a job are handed in together.
struct Job {
  std::uint32_t id = 0;  // dense from 0, in order of arrival
  core::Time arrival{};
  std::vector<Task> portions;
  std::vector<Dependency> dependencies{};  // without a cycle
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
