#include "agents/air_traffic/leader.hpp"

#include <algorithm>

#include "agents/air_traffic/air_traffic.hpp"

namespace rhizome::agents::traffic {

Leader::Leader(const Options& options, PeerId queue, std::uint64_t first_ticket,
               std::uint32_t own_slots)
    : options_(options), queue_(queue), own_slots_(own_slots), ticket_(first_ticket) {}

void Leader::begin(Env& env, const Command& command) {
  epoch_ = command.epoch;
  from_nowhere_ = command.members.empty() && command.edges.empty();
  queue_heard_ = last_worker_ = env.now();
  for (const Member& member : command.members)
    workers_[member.id] = {.slots = member.slots, .last_heard = env.now()};
  for (const PeerId edge : command.edges) link(env, edge);
  layout_size_ = size();
  take(env);
}

void Leader::serve(Env& env, PeerId queue) {
  queue_ = queue;
  queue_heard_ = env.now();
  if (phase_ == Phase::asking) take(env);
}

std::uint32_t Leader::size() const {
  std::uint32_t slots = 0;
  for (const auto& [id, worker] : workers_) slots += worker.slots;
  return slots;
}

std::vector<Member> Leader::members() const {
  std::vector<Member> list;
  for (const auto& [id, worker] : workers_) list.push_back({id, worker.slots});
  return list;
}

std::vector<PeerId> Leader::acquaintances() const {
  std::vector<PeerId> all(edges_.begin(), edges_.end());
  for (const auto& [id, worker] : workers_) all.push_back(id);
  return all;
}

// The group is idle: back to its layout's size if it has grown, and on to the next job.
void Leader::take(Env& env) {
  phase_ = Phase::asking;
  merge_asked_ = core::nobody;
  total_ = 0;
  portions_.clear();
  pending_.clear();
  if (options_.reorganise && size() > layout_size_) split(env, layout_size_);
  ++ticket_;
  if (!workers_.empty()) env.send(queue_, Take{ticket_, size()});
}

void Leader::on(Env& env, PeerId from, const Portion& message) {
  if (from == queue_) queue_heard_ = env.now();
  if (message.ticket != ticket_) return;
  if (lent_to_ != core::nobody) {
    env.send(from, Return{ticket_});
    return;
  }
  const bool first = total_ == 0;
  total_ = message.total;
  for (std::size_t i = 0; i < message.tasks.size(); ++i)
    if (portions_.emplace(message.index + static_cast<std::uint32_t>(i), message.tasks[i]).second)
      pending_.push_back(message.tasks[i]);
  if (first) {
    done_.clear();
    start_job(env);
  }
  if (phase_ == Phase::running) assign(env);
}

// A smaller job leaves a group over; a larger one wants more workers.
void Leader::start_job(Env& env) {
  phase_ = Phase::running;
  if (!options_.reorganise) return;
  if (total_ < size()) split(env, total_);
  if (total_ <= size()) return;
  phase_ = Phase::merging;
  seek_workers(env);
}

// Tasks of the job whose results are not here, come or still to come.
std::size_t Leader::unfinished() const {
  std::size_t left = total_;
  for (const auto& [index, task] : portions_) left -= done_.contains(task.id) ? 1 : 0;
  return left;
}

void Leader::assign(Env& env) {
  for (auto& [id, worker] : workers_)
    while (!pending_.empty() && worker.running.size() < worker.slots) {
      env.send(id, Assign{pending_.front()});
      worker.running[pending_.front().id] = 0;
      pending_.pop_front();
    }
}

// Relayed to the queue whatever job it is of: it may be one of a former leader's.
void Leader::on(Env& env, PeerId from, const Done& message) {
  if (const auto worker = workers_.find(from); worker != workers_.end()) {
    worker->second.last_heard = env.now();
    worker->second.running.erase(message.task);
  }
  std::erase_if(pending_, [&](const Task& task) { return task.id == message.task; });
  done_[message.task] = message.executor;
  env.send(queue_, message);
  if (phase_ != Phase::running) return;
  assign(env);
  finish_if_done(env);
}

void Leader::finish_if_done(Env& env) {
  if (phase_ == Phase::running && total_ > 0 && unfinished() == 0) take(env);
}

// The job went to somebody else while the queue could not hear us.
void Leader::on(Env& env, PeerId, const Voided& message) {
  if (message.ticket == ticket_ && phase_ != Phase::asking) take(env);
}

void Leader::on(Env& env, PeerId, const Recall& message) {
  for (const TaskId task : message.tasks)
    if (const auto found = done_.find(task); found != done_.end())
      env.send(queue_, Done{task, found->second}, core::Cause::recovery);
}

void Leader::on(Env& env, PeerId from, const QueueAlive&) {
  if (from == queue_) queue_heard_ = env.now();
}

// What the worker twice denies to hold was lost on the way there or back: assigned again, it is
// either run or told again.
void Leader::on(Env& env, PeerId from, const WorkerAlive& message) {
  const auto found = workers_.find(from);
  if (found == workers_.end()) {
    env.send(from, Follow{core::nobody, epoch_});
    return;
  }
  WorkerState& worker = found->second;
  worker.last_heard = env.now();
  worker.slots = message.slots;
  for (auto& [task, denied] : worker.running) {
    const bool held =
        std::find(message.holding.begin(), message.holding.end(), task) != message.holding.end();
    denied = held ? 0 : denied + 1;
    if (denied < 2) continue;
    denied = 0;
    for (const auto& [index, portion] : portions_)
      if (portion.id == task) env.send(from, Assign{portion}, core::Cause::recovery);
  }
}

void Leader::on(Env& env, PeerId from, const Join& message) {
  if (lent_to_ != core::nobody) return;
  if (const auto old = workers_.find(from); old != workers_.end())
    for (const auto& [task, denied] : old->second.running)
      for (const auto& [index, portion] : portions_)
        if (portion.id == task) pending_.push_back(portion);
  workers_[from] = {.slots = message.slots, .last_heard = env.now()};
  env.send(from, Roster{epoch_, members(), {edges_.begin(), edges_.end()}});
  if (phase_ == Phase::asking) env.send(queue_, Take{ticket_, size()});
  if (phase_ == Phase::running) assign(env);
}

void Leader::tick(Env& env) {
  check_workers(env);
  check_edges(env);
  end_lease(env);
  check_portions(env);
  seek_more_workers(env);
  disband_if_alone(env);
  const Roster roster{epoch_, members(), {edges_.begin(), edges_.end()}};
  for (const auto& [id, worker] : workers_) env.send(id, roster);
  env.send(queue_, LeaderAlive{size()});
  if (phase_ == Phase::asking && !workers_.empty() && lent_to_ == core::nobody)
    env.send(queue_, Take{ticket_, size()});
  const bool silent =
      core::seconds(env.now() - queue_heard_) > options_.give_up * core::seconds(options_.timeout);
  if (silent && !lost_queue_) {
    lost_queue_ = true;
    env.note({.name = facts::run_failed, .other = queue_, .reason = "the queue is dead"});
  }
}

void Leader::check_workers(Env& env) {
  for (auto item = workers_.begin(); item != workers_.end();) {
    if (env.now() - item->second.last_heard <= options_.timeout) {
      ++item;
      continue;
    }
    for (const auto& [task, denied] : item->second.running)
      for (const auto& [index, portion] : portions_)
        if (portion.id == task && !done_.contains(task)) {
          pending_.push_back(portion);
          env.note(facts::about(facts::task_reissued, task, item->first, "dead worker"));
        }
    item = workers_.erase(item);
  }
  if (phase_ == Phase::running) {
    assign(env);
    finish_if_done(env);
  }
}

void Leader::check_portions(Env& env) {
  if (total_ == 0 || portions_.size() == total_) return;
  Missing missing{ticket_, {}};
  for (std::uint32_t i = 0; i < total_; ++i)
    if (!portions_.contains(i)) missing.indexes.push_back(i);
  env.send(queue_, missing);
}

}  // namespace rhizome::agents::traffic
