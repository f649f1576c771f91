#include "agents/air_traffic/queue.hpp"

#include <algorithm>

#include "agents/air_traffic/air_traffic.hpp"

namespace rhizome::agents::traffic {

Queue::Queue(const Options& options, const World& world, std::set<TaskId> done)
    : options_(options), world_(world), done_(std::move(done)), total_(world.workload.tasks()) {
  for (const Job& job : world.workload.jobs) left_.push_back(job.portions.size());
  for (const TaskId task : done_) --left_[task.job];
}

std::vector<PeerId> Queue::leaders() const {
  std::vector<PeerId> ids;
  for (const auto& [id, leader] : leaders_) ids.push_back(id);
  return ids;
}

void Queue::arrive(Env& env, const Job& job, bool announce) {
  Waiting waiting{.job = job.id, .tasks = {}};
  for (const Task& task : job.portions) {
    if (announce) env.note(facts::about(facts::task_submitted, task.id));
    if (!done_.contains(task.id)) waiting.tasks.push_back(task);
  }
  if (!waiting.tasks.empty()) waiting_.push_back(std::move(waiting));
  serve(env);
}

Queue::LeaderState& Queue::heard(Env& env, PeerId from) {
  LeaderState& leader = leaders_[from];
  leader.last_heard = env.now();
  return leader;
}

// A leader that asks anew has finished its job: whatever of it is not here was lost on the way.
void Queue::on(Env& env, PeerId from, const Take& message) {
  LeaderState& leader = heard(env, from);
  leader.size = message.size;
  if (leader.ticket == message.ticket) {
    // Asked again while the tasks were on their way? If they were lost, it will ask once more.
    if (env.now() - leader.given > options_.heartbeat() / 2)
      send_tasks(env, from, leader, core::Cause::recovery);
    return;
  }
  if (leader.ticket != 0) {
    const std::vector<TaskId> lacking = undone(leader.job);
    constexpr int most_recalls = 3;
    if (!lacking.empty() && leader.recalls++ < most_recalls) {
      env.send(from, Recall{lacking});
      return;
    }
    requeue(env, leader, from, "results lost");
  }
  leader.asked = message.ticket;
  if (std::find(askers_.begin(), askers_.end(), from) == askers_.end()) askers_.push_back(from);
  serve(env);
}

std::vector<TaskId> Queue::undone(const Waiting& job) const {
  std::vector<TaskId> lacking;
  for (const Task& task : job.tasks)
    if (!done_.contains(task.id)) lacking.push_back(task.id);
  return lacking;
}

void Queue::serve(Env& env) {
  while (!waiting_.empty() && !askers_.empty()) {
    const PeerId to = askers_.front();
    askers_.pop_front();
    const auto found = leaders_.find(to);
    if (found != leaders_.end() && found->second.asked != 0) give(env, to, found->second);
  }
}

// The largest job that fits, among the first of the queue; else the head, for which groups merge.
std::size_t Queue::best_fit(std::uint32_t size) const {
  std::size_t best = 0;
  std::size_t largest = 0;
  const std::size_t seen = std::min<std::size_t>(options_.window, waiting_.size());
  for (std::size_t i = 0; i < seen; ++i) {
    const std::size_t tasks = waiting_[i].tasks.size();
    if (tasks > size || tasks <= largest) continue;
    best = i;
    largest = tasks;
  }
  return best;
}

void Queue::give(Env& env, PeerId to, LeaderState& leader) {
  const auto chosen = waiting_.begin() + static_cast<std::ptrdiff_t>(best_fit(leader.size));
  leader.job = std::move(*chosen);
  waiting_.erase(chosen);
  leader.ticket = leader.asked;
  leader.asked = 0;
  leader.recalls = 0;
  leader.given = env.now();
  send_tasks(env, to, leader, core::Cause::work);
}

void Queue::send_tasks(Env& env, PeerId to, const LeaderState& leader, core::Cause cause) {
  const std::vector<Task>& tasks = leader.job.tasks;
  const auto total = static_cast<std::uint32_t>(tasks.size());
  if (options_.bundled) {
    env.send(to, Portion{leader.ticket, 0, total, tasks}, cause);
    return;
  }
  for (std::uint32_t i = 0; i < total; ++i)
    env.send(to, Portion{leader.ticket, i, total, {tasks[i]}}, cause);
}

void Queue::on(Env& env, PeerId from, const Missing& message) {
  const LeaderState& leader = heard(env, from);
  if (leader.ticket != message.ticket) {
    env.send(from, Voided{message.ticket});
    return;
  }
  const auto total = static_cast<std::uint32_t>(leader.job.tasks.size());
  for (const std::uint32_t i : message.indexes)
    if (i < total)
      env.send(from, Portion{leader.ticket, i, total, {leader.job.tasks[i]}},
               core::Cause::recovery);
}

void Queue::on(Env& env, PeerId from, const Return& message) {
  LeaderState& leader = heard(env, from);
  if (leader.ticket == message.ticket) requeue(env, leader, from, "returned");
  serve(env);
}

// Back to the head of the queue, without what is done.
void Queue::requeue(Env& env, LeaderState& leader, PeerId from, std::string_view reason) {
  if (leader.ticket == 0) return;
  leader.ticket = 0;
  std::erase_if(leader.job.tasks, [this](const Task& task) { return done_.contains(task.id); });
  for (const Task& task : leader.job.tasks)
    env.note(facts::about(facts::task_reissued, task.id, from, reason));
  if (!leader.job.tasks.empty()) waiting_.push_front(std::move(leader.job));
}

void Queue::on(Env& env, PeerId from, const Done& message) {
  heard(env, from);
  if (message.task.job >= left_.size()) return;
  if (!done_.insert(message.task).second) {
    env.note(facts::about(facts::task_duplicate, message.task, message.executor));
    return;
  }
  env.note(facts::about(facts::task_completed, message.task, message.executor));
  if (--left_[message.task.job] == 0)
    env.note({.name = facts::job_completed, .subject = message.task.job});
  const PeerId standby = standby_of(options_, world_);
  if (standby != core::nobody && standby != env.self()) env.send(standby, Mirror{{message.task}});
}

void Queue::on(Env& env, PeerId from, const LeaderAlive& message) {
  heard(env, from).size = message.size;
  env.send(from, QueueAlive{standby_of(options_, world_)});
  if (mends_) close_ring(env, from);
}

// From the first loss on, every leader is linked with the next one by address: whatever else their
// graph is, it holds a ring of all that live.
void Queue::on(Env&, PeerId, const Bereaved&) { mend(); }

void Queue::close_ring(Env& env, PeerId leader) const {
  auto next = leaders_.upper_bound(leader);
  if (next == leaders_.end()) next = leaders_.begin();
  if (next->first != leader) env.send(leader, Neighbour{next->first});
}

// Newcomers go to the smallest group.
void Queue::on(Env& env, PeerId from, const Join&) {
  if (const auto former = leaders_.find(from); former != leaders_.end()) {
    requeue(env, former->second, from, "leader lost");
    leaders_.erase(former);
  }
  const auto smallest =
      std::min_element(leaders_.begin(), leaders_.end(),
                       [](const auto& a, const auto& b) { return a.second.size < b.second.size; });
  // Without any leader the newcomer becomes one.
  env.send(from, Refer{smallest == leaders_.end() ? from : smallest->first});
}

void Queue::tick(Env& env) {
  for (auto item = leaders_.begin(); item != leaders_.end();) {
    if (env.now() - item->second.last_heard <= options_.timeout) {
      ++item;
      continue;
    }
    requeue(env, item->second, item->first, "dead leader");
    item = leaders_.erase(item);
  }
  serve(env);
}

}  // namespace rhizome::agents::traffic
