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

void Group::invite(Env& env, PeerId worker) {
  if (workers_.empty()) env.note(GroupChanged{env.self(), "leads"});
  workers_[worker] = {.last_heard = env.now()};
  env.send(worker, Enlist{});
}

// By free slots, so that nobody waits while another idles; a task too large for what is left
// besides runs alone, as in an executor.
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
  workers_[worker].held[task.id] = {task, root, env.now()};
  note_handed(env, task.id, worker);
  env.send(worker, Assign{task});
}

Group::Worker* Group::heard(Env& env, PeerId from) {
  const auto found = workers_.find(from);
  if (found == workers_.end()) {
    env.send(from, Dismiss{});
    return nullptr;
  }
  found->second.last_heard = env.now();
  return &found->second;
}

bool Group::on(Env& env, PeerId from, const Enlisted& message) {
  Worker* worker = heard(env, from);
  if (worker == nullptr) return false;
  worker->room = message.room;
  return true;
}

std::optional<Group::Held> Group::on(Env& env, PeerId from, const Done& message) {
  Worker* worker = heard(env, from);
  if (worker == nullptr) return {};
  const auto found = worker->held.find(message.task);
  if (found == worker->held.end()) return {};
  const Held held = found->second;
  worker->held.erase(found);
  return held;
}

// An assignment younger than a heartbeat may still be on its way.
Group::Lost Group::on(Env& env, PeerId from, const WorkerAlive& message) {
  Lost lost{from, {}, "lost on the way"};
  Worker* worker = heard(env, from);
  if (worker == nullptr) return lost;
  for (auto held = worker->held.begin(); held != worker->held.end();) {
    const bool denied = std::find(message.holding.begin(), message.holding.end(), held->first) ==
                        message.holding.end();
    if (denied && env.now() - held->second.since > options_.heartbeat()) {
      lost.tasks.push_back(held->second);
      held = worker->held.erase(held);
    } else {
      ++held;
    }
  }
  return lost;
}

std::vector<Group::Lost> Group::disband(Env& env) {
  std::vector<Lost> lost;
  for (const PeerId worker : members()) {
    env.send(worker, Dismiss{});
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
