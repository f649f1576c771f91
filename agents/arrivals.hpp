// Arrivals: a source of jobs, one at a time, so that only jobs under way need be in memory; and the
// profile of a workload, which is known before the first job comes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/graph_shape.hpp"
#include "agents/resources.hpp"
#include "agents/task.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

class Arrivals : public core::Interface {
 public:
  // The next job; none once no more will come. Ids are dense from 0, and times never decrease.
  // Arrivals that are read from a file throw the exceptions of its reader.
  [[nodiscard]] virtual std::optional<Job> next() = 0;
  // Whether more jobs may come although there is no next one now, because jobs come while the run
  // goes on. They arrive when they are taken.
  [[nodiscard]] virtual bool awaits() const { return false; }
  // Sentences about rows that were left out: nothing is dropped silently. Reads the source to its
  // end, so call it last.
  [[nodiscard]] virtual std::vector<std::string> remarks() { return {}; }
};

// Makes the same arrivals again, from the first on. May be called from several threads at once.
using OpenArrivals = std::function<std::unique_ptr<Arrivals>()>;

// Arrivals from a list.
class ListedArrivals final : public Arrivals {
 public:
  explicit ListedArrivals(Workload workload) : workload_(std::move(workload)) {}
  [[nodiscard]] std::optional<Job> next() override;

 private:
  Workload workload_;
  std::size_t next_ = 0;
};

// Arrivals of another source up to and including a time.
class ArrivalsUntil final : public Arrivals {
 public:
  ArrivalsUntil(std::unique_ptr<Arrivals> all, core::Time last)
      : all_(std::move(all)), last_(last) {}
  [[nodiscard]] std::optional<Job> next() override;
  [[nodiscard]] std::vector<std::string> remarks() override { return all_->remarks(); }
  [[nodiscard]] bool awaits() const override { return !more_ && all_->awaits(); }
  // After the last job: whether another would have come later.
  [[nodiscard]] bool more() const { return more_; }

 private:
  std::unique_ptr<Arrivals> all_;
  core::Time last_;
  bool more_ = false;
};

// Orders recipes by kind and input.
struct RecipeLess {
  bool operator()(const core::Recipe& a, const core::Recipe& b) const {
    return a.kind() != b.kind() ? a.kind() < b.kind() : a.spec() < b.spec();
  }
};

// What one pass over a workload tells, in memory that does not grow with it.
struct Profile {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint32_t largest_job = 0;                 // in tasks
  core::Duration longest{0};                     // of a task, on a peer of speed 1
  core::Duration longest_estimate{0};            // of tasks that have one
  Resources largest{0};                          // the largest need of a task, for each measure
  std::set<core::Recipe, RecipeLess> recipes{};  // the recipes of tasks
  // For tasks that come while the run goes on: whether one may have that recipe. Empty: none come.
  std::function<bool(const core::Recipe&)> admits{};
  double work = 0;                       // of all tasks, in seconds on a peer of speed 1
  double processor_work = 0;             // the same, each times the processors that it takes
  double most_work = 0;                  // of the tasks of one job, likewise
  core::Time first = core::Time::max();  // arrival, of a job
  core::Time last{};                     // arrival, of a task
  std::optional<Task> misfit{};          // the first task that fits no peer
  std::optional<Task> choosy{};          // the first that does not fit every peer
  GraphShape graphs{};                   // of all jobs whose tasks need each other
  std::uint64_t heaviest = 0;            // bytes that a task is given by others, or gives, at most
  std::uint64_t added = 0;               // tasks that others add when they are done
  [[nodiscard]] bool grows() const { return added > 0; }
  // No number of peers does the work in less, at speed 1: the longest task, or chain of tasks.
  [[nodiscard]] core::Duration indivisible() const {
    return std::max(longest, graphs.critical_path);
  }

  void add(const Job& job);
  [[nodiscard]] double mean_task() const;  // in seconds; 0 without any
  // Whether the workload may have such a task: the best check of an unknown id without a list of
  // all tasks.
  [[nodiscard]] bool has(TaskId task) const {
    return task.job < jobs && task.portion < largest_job;
  }
  [[nodiscard]] bool has(const Task& task) const {
    return has(task.id) && task.duration <= longest && task.estimate <= longest_estimate &&
           resources_of(task).within(largest) && task.level <= graphs.depth &&
           task.brings.bytes <= heaviest && task.gives <= heaviest &&
           (recipes.contains(task.recipe) || (admits && admits(task.recipe)));
  }
};

// Tests of whether peers have what a task needs; an empty test is true for all tasks.
struct Fits {
  std::function<bool(const Task&)> somebody{};
  std::function<bool(const Task&)> every_peer{};
};
// The profile of all jobs that still come.
[[nodiscard]] Profile profile_of(Arrivals& arrivals, const Fits& fits = {});

}  // namespace rhizome::agents
