#include "agents/organic_grid/group.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

bool Group::idle() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [](const auto& item) { return item.second.held.empty(); });
}

std::uint32_t Group::hands() const {
  std::uint32_t hands = 0;
  for (const auto& [id, worker] : workers_) hands += worker.room.cpus;
  return hands;
}

std::vector<PeerId> Group::members() const {
  std::vector<PeerId> ids;
  for (const auto& [id, worker] : workers_) ids.push_back(id);
  return ids;
}

bool Group::asks_late(Env& env, PeerId from, std::uint64_t epoch) {
  const auto found = workers_.find(from);
  if (found == workers_.end()) return false;
  Worker& worker = found->second;
  if (worker.epoch > 0) return worker.epoch > epoch;
  worker.after = std::max(worker.after, epoch);  // before it can have answered
  env.send(from, Enlist{});
  return true;
}

void Group::invite(Env& env, PeerId worker, std::uint64_t epoch) {
  if (workers_.empty()) env.note(GroupChanged{env.self(), "leads"});
  workers_[worker] = {.after = epoch, .last_heard = env.now()};
  env.send(worker, Enlist{});
}

// Workers with a free slot come first, so that no task waits while a worker is idle. A task that
// does not fit beside others runs alone, as in an executor.
std::optional<PeerId> Group::place_for(const Task& task) const {
  std::optional<PeerId> ahead;
  for (const auto& [id, worker] : workers_) {
    Resources used{0, 0};
    for (const auto& [held, entry] : worker.held) used = used + resources_of(entry.task);
    used = used + resources_of(task);
    const bool fits = worker.held.empty() || used.without_cpus().within(worker.room);
    if (worker.room.cpus == 0 || !fits) continue;
    if (worker.held.size() < worker.room.cpus) return id;
    if (!ahead && worker.held.size() < worker.room.cpus + options_.ahead) ahead = id;
  }
  return ahead;
}

void Group::assign(Env& env, PeerId worker, const Task& task, PeerId root) {
  Worker& hired = workers_[worker];
  hired.held[task.id] = {task, root, env.now()};
  note_handed(env, task.id, worker);
  env.send(worker, Assign{hired.epoch, task});
}

// The worker in that stay. The first message of an invited peer says in which stay it is.
Group::Worker* Group::heard(Env& env, PeerId from, std::uint64_t epoch) {
  const auto found = workers_.find(from);
  Worker* worker = found == workers_.end() ? nullptr : &found->second;
  if (worker != nullptr && worker->epoch == 0 && epoch > worker->after) worker->epoch = epoch;
  if (worker == nullptr || worker->epoch != epoch) {
    env.send(from, Dismiss{epoch});
    return nullptr;
  }
  worker->last_heard = env.now();
  return worker;
}

bool Group::on(Env& env, PeerId from, const Enlisted& message) {
  Worker* worker = heard(env, from, message.epoch);
  if (worker == nullptr) return false;
  worker->room = message.room;
  return true;
}

std::optional<Group::HeldTask> Group::on(Env& env, PeerId from, const Done& message) {
  Worker* worker = heard(env, from, message.epoch);
  if (worker == nullptr) return {};
  const auto found = worker->held.find(message.task);
  if (found == worker->held.end()) return {};
  const HeldTask held = found->second;
  worker->held.erase(found);
  return held;
}

// No packet is under way for longer than a heartbeat: a task assigned two heartbeats ago had
// arrived before the worker sent this.
void Group::on(Env& env, PeerId from, const WorkerAlive& message) {
  Worker* worker = heard(env, from, message.epoch);
  if (worker == nullptr) return;
  for (auto& [task, held] : worker->held) {
    const bool denied =
        std::find(message.holding.begin(), message.holding.end(), task) == message.holding.end();
    if (!denied || env.now() - held.since <= 2 * options_.heartbeat()) continue;
    held.since = env.now();
    env.send(from, Assign{worker->epoch, held.task}, core::Cause::recovery);
  }
}

Group::Lost Group::on(PeerId from, const Dismiss& message) {
  const auto found = workers_.find(from);
  if (found == workers_.end() || found->second.epoch > message.epoch) return {from, {}, "refused"};
  return remove(from, "refused");
}

std::vector<Group::Lost> Group::disband(Env& env) {
  std::vector<Lost> lost;
  for (const PeerId worker : members()) {
    env.send(worker, Dismiss{workers_.at(worker).epoch});
    lost.push_back(remove(worker, "disbanded"));
  }
  return lost;
}

Group::Lost Group::remove(PeerId id, std::string_view reason) {
  Lost lost{id, {}, reason};
  const auto found = workers_.find(id);
  if (found == workers_.end()) return lost;
  for (const auto& [task, held] : found->second.held) lost.tasks.push_back(held);
  workers_.erase(found);
  return lost;
}

std::vector<Group::Lost> Group::bury(Time now) {
  std::vector<PeerId> dead;
  for (const auto& [id, worker] : workers_)
    if (now - worker.last_heard > options_.timeout) dead.push_back(id);
  std::vector<Lost> lost;
  for (const PeerId id : dead) lost.push_back(remove(id, "dead worker"));
  return lost;
}

}  // namespace rhizome::agents::grid
