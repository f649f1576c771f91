#include "agents/vector/graph_tasks.hpp"

#include <utility>

#include "agents/locator/service.hpp"

namespace rhizome::agents::vectors {

namespace {

// Even where a third of all packets is lost, one of six moves is answered in all but two of a
// hundred cases. Without an answer the task is no longer reported, and is placed again.
constexpr std::uint32_t most_tries = 6;
// A task that has moved so often counts as one that never stays.
constexpr locator::Epoch restless = 128;

}  // namespace

std::vector<Task> GraphTasks::enter(Env& env, const Submitted& job) {
  if (!used() || job.dependencies.empty()) return job.tasks;
  std::vector<Task> alone;
  for (locator::Mobile& mobile : locator::mobiles_of(job.tasks, job.dependencies, world_.source)) {
    if (mobile.unmet.empty() && mobile.successors.empty()) {
      alone.push_back(mobile.task);
      continue;
    }
    if (options_.recovery)
      graph_progress_.enter(mobile);
    else
      mobile.task.gives = 0;  // to the source, which would give it to no task
    env.raise(locator::Enter{std::move(mobile)});
  }
  return alone;
}

bool GraphTasks::place_again(Env& env, TaskId task) {
  if (!graph_progress_.open(task)) return false;
  env.raise(locator::Enter{graph_progress_.again(task)});
  return true;
}

void GraphTasks::done(Env& env, TaskId task) {
  if (!graph_progress_.open(task)) return;
  graph_progress_.done(task, env.now());
  drop(env, task);
  env.raise(locator::Conclude{task});
}

// The peer that gave the data, or was to give them, has died; or they were given to a copy of the
// task that was lost.
void GraphTasks::give(Env& env, PeerId to, const Needs& needs) const {
  for (const Need& need : needs.needs)
    if (auto gift = graph_progress_.owed(need, to, env.now() - options_.lease)) env.raise(*gift);
}

void GraphTasks::arrived(const locator::Arrived& arrived, core::Time now) {
  for (const TaskId task : arrived.tasks)
    if (const auto* resident = waiting(task)) ranks_.add(task, resident->mobile.level, now);
}

void GraphTasks::ready(const locator::Ready& ready) {
  for (const TaskId task : ready.tasks) ranks_.ready(task);
}

std::optional<Task> GraphTasks::next() const {
  const auto task = ranks_.first_ready();
  if (!task) return {};
  const auto* resident = waiting(*task);
  return resident == nullptr ? std::nullopt : std::optional(resident->mobile.task);
}

void GraphTasks::begin(Env& env, TaskId task) {
  ranks_.remove(task);
  env.raise(locator::Begin{task});
}

void GraphTasks::drop(Env& env, TaskId task) {
  if (!used()) return;
  ranks_.remove(task);
  env.raise(locator::Drop{task});
}

std::vector<TaskId> GraphTasks::redistribute(Env& env, const Planner& planner,
                                             const PeerMetrics& self,
                                             const std::vector<NeighbourState>& seen) {
  std::vector<TaskId> moved;
  for (const LevelCount& level : ranks_.counts())
    redistribute(env, level, planner, self, seen, moved);
  return moved;
}

// Divides the tasks of this level as if there were no others.
void GraphTasks::redistribute(Env& env, const LevelCount& level, const Planner& planner,
                              PeerMetrics self, std::vector<NeighbourState> seen,
                              std::vector<TaskId>& moved) {
  self.queue = level.tasks;
  for (NeighbourState& each : seen) {
    each.vitals.queue = neighbours_.count(each.peer, level.level, options_.credit);
    each.sent = 0;
  }
  for (const auto& [peer, count] : planner.moves(self, seen, env.now(), env.rng())) {
    neighbours_.sent(peer, level.level, count);
    for (const TaskId task : ranks_.last(level.level, count)) {
      ranks_.remove(task);
      env.raise(locator::Migrate{task, peer});
      moved.push_back(task);
    }
  }
}

// A peer that has not answered for long is reported as missed, so that another peer may get the
// task.
std::vector<TaskId> GraphTasks::held(Env& env) const {
  std::vector<TaskId> tasks;
  if (!used()) return tasks;
  ranks_.for_each([&tasks](TaskId task) { tasks.push_back(task); });
  for (const TaskId task : locator_->leaving()) {
    const auto* leaving = locator_->find<locator::Leaving>(task);
    if (leaving->tries < most_tries)
      tasks.push_back(task);
    else if (!leaving->uncertain)
      env.raise(locator::Missed{leaving->to});
  }
  return tasks;
}

// The data that a task needs after it has waited here for a lease; or at once if it moves on and
// on, since then it waits nowhere for so long.
std::vector<Need> GraphTasks::needs(core::Time now) const {
  std::vector<Need> needs;
  ranks_.for_each_unready([&](TaskId task, core::Time since) {
    const auto* resident = waiting(task);
    if (resident == nullptr) return;
    const locator::Mobile& mobile = resident->mobile;
    if (since > now - options_.lease && mobile.epoch % locator::generation < restless) return;
    for (const locator::Neighbour& each : mobile.unmet) needs.push_back({task, each.task});
  });
  return needs;
}

const locator::Resident* GraphTasks::waiting(TaskId task) const {
  const auto* resident = locator_->find<locator::Resident>(task);
  return resident == nullptr || resident->started ? nullptr : resident;
}

}  // namespace rhizome::agents::vectors
