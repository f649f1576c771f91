// The facts about work, trees and groups, which every scheduler shares, so that one set of checkers
// and one outcome serves them all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "agents/graph_shape.hpp"
#include "agents/task.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/message.hpp"
#include "core/peer/work.hpp"

namespace rhizome::agents {

using core::operator==;

// About work.

struct JobSubmitted {
  static constexpr core::FactInfo info{
      "job-submitted", "A job, or a part of it, was handed in; this peer keeps its books.",
      "job | arrived: when it was handed in | tasks: how many | whole: 1: these are all of the "
      "job; 0: a part of them | work: of them all, at speed 1 | longest: of them, at speed 1"};
  std::uint32_t job = 0;
  core::Time arrived{};
  std::uint32_t tasks = 0;
  bool whole = true;          // portions are 0, 1, 2 and so on; more only if tasks add some
  core::Duration work{0};     // of all tasks, on a peer of speed 1
  core::Duration longest{0};  // of the tasks
};
struct GraphSubmitted {
  static constexpr core::FactInfo info{
      "graph-submitted",
      "A job was handed in whose tasks need each other, in a graph of this shape.",
      "job | critical_path: the longest chain of its tasks, at speed 1 | depth: tasks of the chain "
      "with most of them | width: tasks of the level with most of them | edges: how often a task "
      "needs another | bytes: that tasks are given by those that they need",
      core::Noted::seldom};
  std::uint32_t job = 0;
  core::Duration critical_path{0};  // of its tasks, on a peer of speed 1
  std::uint32_t depth = 0;          // tasks of the longest chain
  std::uint32_t width = 0;          // tasks of the widest level
  std::uint64_t edges = 0;
  double bytes = 0;  // that the edges carry
};
struct TaskSubmitted {
  static constexpr core::FactInfo info{
      "task-submitted", "A task was handed in, and may run.",
      "job | portion | duration: on a peer of speed 1 | cpus: slots that it takes"};
  TaskId task;
  core::Duration duration{0};  // on a peer of speed 1
  std::uint32_t cpus = 1;
};
struct TasksAdded {
  static constexpr core::FactInfo info{
      "tasks-added", "A task is done, and has added tasks to its job, with portions from first on.",
      "job | portion | first: the portion of the first of them | count: how many",
      core::Noted::seldom};
  TaskId task;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
struct TaskStarted {
  static constexpr core::FactInfo info{"task-started", "An executor began a task.",
                                       "job | portion"};
  TaskId task;
};
struct TaskExecuted {
  static constexpr core::FactInfo info{"task-executed",
                                       "An executor ended a task, which had so much service there.",
                                       "job | portion | took: how much service it had"};
  TaskId task;
  core::Duration took{0};
};
struct ServiceLost {
  static constexpr core::FactInfo info{
      "service-lost",
      "A server gave up a task that it had begun, which had had so much service there.",
      "job | portion | service: that it had had there", core::Noted::seldom};
  TaskId task;
  core::Duration service{0};
};
struct TaskComputed {
  static constexpr core::FactInfo info{
      "task-computed", "An executor ended a task that computes, and its result was judged.",
      "job | portion | result: what it came to, in words | right: 1: that is what it must come to"};
  TaskId task;
  std::string result;
  bool right = true;
};
struct TaskCompleted {
  static constexpr core::FactInfo info{"task-completed",
                                       "The source holds the result of a task for the first time.",
                                       "job | portion | executor"};
  TaskId task;
  core::PeerId executor;
};
struct TaskDuplicate {
  static constexpr core::FactInfo info{"task-duplicate",
                                       "The source was given the result of a task once more.",
                                       "job | portion | executor"};
  TaskId task;
  core::PeerId executor;
};
struct TaskReissued {
  static constexpr core::FactInfo info{
      "task-reissued", "A peer handed out again a task that another peer, the holder, had.",
      "job | portion | holder: which peer had it | reason"};
  TaskId task;
  core::PeerId holder;
  std::string reason;
};
struct TaskHanded {
  static constexpr core::FactInfo info{
      "task-handed", "A peer that had a task passed it on to another peer, the receiver.",
      "job | portion | receiver: which peer was to have it", core::Noted::on_request};
  TaskId task;
  core::PeerId receiver;
};
struct JobCompleted {
  static constexpr core::FactInfo info{"job-completed", "All results of a job are at its source.",
                                       "job"};
  std::uint32_t job = 0;
};

// About trees and groups.

struct ParentChanged {
  static constexpr core::FactInfo info{
      "parent-changed",
      "The peer has another parent in the tree of a root, or none: it has left the tree.",
      "root: of which tree: the peer at its root | parent: the peer above it now; NULL: none | "
      "former: the peer above it before; NULL: none | reason"};
  core::PeerId root;
  core::PeerId parent;
  core::PeerId former;
  // join, promotion, eviction, recovery, cycle, departure, termination, layout
  std::string reason;
};
struct GroupChanged {
  static constexpr core::FactInfo info{
      "group-changed",
      "The peer belongs to the group of a leader, itself when it leads, or to none.",
      "leader | reason"};
  core::PeerId leader;
  std::string reason;
};
struct LeadersLinked {
  static constexpr core::FactInfo info{"leaders-linked",
                                       "The edge of a leader to another leader appeared, or went.",
                                       "leader | linked: 1: the edge appeared; 0: it went"};
  core::PeerId leader;
  bool linked = true;
};
struct RunFailed {
  static constexpr core::FactInfo info{
      "run-failed", "The peer gave up the run, for what the source should have done.",
      "source: the peer with the work | reason"};
  core::PeerId source;
  std::string reason;
};

// All facts of a scheduler that never does anything twice.
using WorkFacts = core::OneOf<TaskStarted, TaskExecuted, TaskComputed, TaskHanded, ServiceLost>;

// Notes that an executor has ended a task, with the service that it got, and its result.
template <class Env>
void note_executed(Env& env, TaskId task, core::Duration took, const core::Result& result) {
  env.note(TaskExecuted{task, took});
  if (result.verdict == core::Result::Verdict::none) return;
  env.note(TaskComputed{task, result.value, result.verdict == core::Result::Verdict::right});
}

// Notes that a task goes from here to another peer. A task that is only sent again, because it may
// have been lost on the way, is not noted.
template <class Env>
void note_handed(Env& env, TaskId task, core::PeerId receiver) {
  if (receiver != env.self()) env.note(TaskHanded{task, receiver});
}

[[nodiscard]] inline JobSubmitted submitted(const Job& job, bool whole) {
  JobSubmitted fact{.job = job.id,
                    .arrived = job.arrival,
                    .tasks = static_cast<std::uint32_t>(job.known()),
                    .whole = whole};
  for (std::size_t portion = 0; portion < job.known(); ++portion) {
    const Task& task = job.portions[portion];
    fact.work += task.duration;
    fact.longest = std::max(fact.longest, task.duration);
  }
  return fact;
}
[[nodiscard]] inline GraphSubmitted submitted(std::uint32_t job, const GraphShape& shape) {
  return {job, shape.critical_path, shape.depth, shape.width, shape.edges, shape.bytes};
}
[[nodiscard]] inline TaskSubmitted submitted(const Task& task) {
  return {task.id, task.duration, task.cpus};
}

}  // namespace rhizome::agents
