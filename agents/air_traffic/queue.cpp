#include "agents/air_traffic/queue.hpp"

#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::traffic {

std::vector<PeerId> Queue::leaders() const {
  std::vector<PeerId> ids;
  for (const auto& [id, leader] : leaders_) ids.push_back(id);
  return ids;
}

bool Queue::deserted(const Env& env) const {
  return env.now() - last_heard_ > options_.longest_cut;
}

void Queue::on(Env& env, const Submitted& job) {
  known_tasks_.add(job.tasks);
  waiting_.push_back({.job = job.job, .tasks = job.tasks});
  tasks_ += static_cast<std::uint32_t>(job.tasks.size());
  serve(env);
}

void Queue::heard(Env& env, PeerId from) {
  last_heard_ = env.now();
  if (LeaderState* leader = known(from)) leader->last_heard = env.now();
}

Queue::LeaderState* Queue::known(PeerId from) {
  const auto found = leaders_.find(from);
  return found == leaders_.end() ? nullptr : &found->second;
}

Queue::LeaderState& Queue::admit(Env& env, PeerId from) {
  LeaderState& leader = leaders_[from];
  heard(env, from);
  return leader;
}

void Queue::on(Env& env, PeerId from, const Take& message) {
  LeaderState& leader = admit(env, from);
  leader.size = message.size;
  if (leader.ticket == message.ticket) {
    repeat(env, from, leader);
    return;
  }
  if (message.ticket < leader.oldest) return;  // overtaken, or withdrawn
  leader.oldest = message.ticket;
  if (std::exchange(leader.asked, message.ticket) != message.ticket) leader.sent = env.now();
  if (!settle(env, from, leader)) return;
  if (std::find(askers_.begin(), askers_.end(), from) == askers_.end()) askers_.push_back(from);
  serve(env);
}

// The leader may have asked while the tasks were on their way for longer than expected: it is told
// that they were sent, and asks for them if none has come before this notice.
void Queue::repeat(Env& env, PeerId to, LeaderState& leader) {
  if (env.now() - leader.sent <= backoff_.wait(leader.repeats)) return;
  leader.sent = env.now();
  ++leader.repeats;
  if (undone(leader.job).empty())
    env.send(to, Voided{leader.ticket});
  else
    env.send(to, Given{leader.ticket, static_cast<std::uint32_t>(leader.job.tasks.size())});
}

// A leader that asks anew has finished its job: results of it that do not come in time were lost.
bool Queue::settle(Env& env, PeerId from, LeaderState& leader) {
  if (leader.ticket == 0) return true;
  const std::vector<TaskId> lacking = undone(leader.job);
  constexpr std::uint32_t most_recalls = 3;
  if (!lacking.empty()) {
    if (env.now() - leader.sent <= backoff_.wait(leader.recalls)) return false;
    leader.sent = env.now();
    if (leader.recalls++ < most_recalls) {
      in_pieces(lacking, [&](std::size_t, std::vector<TaskId> piece) {
        env.send(from, Recall{leader.ticket, std::move(piece)});
      });
      return false;
    }
  }
  requeue(env, leader, from, "results lost");
  return true;
}

std::vector<TaskId> Queue::undone(const Waiting& job) const {
  std::vector<TaskId> lacking;
  for (const Task& task : job.tasks)
    if (!known_tasks_.done(task.id)) lacking.push_back(task.id);
  return lacking;
}

void Queue::serve(Env& env) {
  while (!waiting_.empty() && !askers_.empty()) {
    const PeerId to = askers_.front();
    askers_.pop_front();
    LeaderState* leader = known(to);
    if (leader != nullptr && leader->asked != 0) give(env, to, *leader);
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
  tasks_ -= static_cast<std::uint32_t>(leader.job.tasks.size());
  leader.ticket = leader.asked;
  leader.asked = 0;
  leader.recalls = 0;
  leader.repeats = 0;
  leader.sent = env.now();
  for (const Task& task : leader.job.tasks) note_handed(env, task.id, to);
  send_tasks(env, to, leader);
}

void Queue::send_tasks(Env& env, PeerId to, const LeaderState& leader) {
  const std::vector<Task>& tasks = leader.job.tasks;
  const auto total = static_cast<std::uint32_t>(tasks.size());
  if (options_.bundled) {
    in_pieces(tasks, [&](std::size_t first, std::vector<Task> piece) {
      const auto index = static_cast<std::uint32_t>(first);
      env.send(to, Portion{leader.ticket, index, total, std::move(piece)});
    });
    return;
  }
  for (std::uint32_t i = 0; i < total; ++i)
    env.send(to, Portion{leader.ticket, i, total, {tasks[i]}});
}

void Queue::on(Env& env, PeerId from, const Missing& message) {
  heard(env, from);
  const LeaderState* leader = known(from);
  if (leader == nullptr || leader->ticket != message.ticket) {
    env.send(from, Voided{message.ticket});
    return;
  }
  const auto total = static_cast<std::uint32_t>(leader->job.tasks.size());
  for (const std::uint32_t i : message.indexes)
    if (i < total)
      env.send(from, Portion{leader->ticket, i, total, {leader->job.tasks[i]}},
               core::Cause::recovery);
}

// A job that is on its way cannot be withdrawn: the leader that asked will receive it.
void Queue::on(Env& env, PeerId from, const Withdraw& message) {
  LeaderState& leader = admit(env, from);
  if (leader.ticket == message.ticket) {
    repeat(env, from, leader);
    return;
  }
  leader.oldest = std::max(leader.oldest, message.ticket + 1);
  if (leader.asked == message.ticket) leader.asked = 0;
  env.send(from, Withdrawn{message.ticket});
}

void Queue::on(Env& env, PeerId from, const Return& message) {
  heard(env, from);
  LeaderState* leader = known(from);
  if (leader != nullptr && leader->ticket == message.ticket)
    requeue(env, *leader, from, "returned");
  serve(env);
}

// Puts the job back at the head of the queue, without its completed tasks.
void Queue::requeue(Env& env, LeaderState& leader, PeerId from, std::string_view reason) {
  if (leader.ticket == 0) return;
  leader.ticket = 0;
  std::erase_if(leader.job.tasks, [this](const Task& task) { return known_tasks_.done(task.id); });
  for (const Task& task : leader.job.tasks)
    env.note(TaskReissued{task.id, from, std::string(reason)});
  tasks_ += static_cast<std::uint32_t>(leader.job.tasks.size());
  if (!leader.job.tasks.empty()) waiting_.push_front(std::move(leader.job));
}

void Queue::on(Env& env, PeerId from, const Done& message) {
  heard(env, from);
  for (const Result& result : message.results) complete(env, result);
  LeaderState* leader = known(from);
  if (leader == nullptr || leader->asked == 0 || leader->ticket == 0) return;
  // The leader's next question came before its last result.
  if (undone(leader->job).empty()) on(env, from, Take{leader->asked, leader->size});
}

void Queue::complete(Env& env, const Result& result) {
  if (!known_tasks_.knows(result.task)) return;
  known_tasks_.finish(result.task);
  env.raise(Finished{result.task, result.executor});
}

void Queue::on(Env& env, PeerId from, const LeaderAlive& message) {
  admit(env, from).size = message.size;
  env.send(from, QueueAlive{});
  if (mends_) close_ring(env, from);
}

// From the first loss on, the queue links every leader with the next one by address, so that their
// graph contains a ring of all living leaders. A single leader hears its own address.
void Queue::on(Env& env, PeerId from, const Bereaved&) {
  heard(env, from);
  mends_ = true;
  close_ring(env, from);
}

void Queue::close_ring(Env& env, PeerId leader) const {
  auto next = leaders_.upper_bound(leader);
  if (next == leaders_.end()) next = leaders_.begin();
  if (next != leaders_.end()) env.send(leader, Neighbour{next->first});
}

// Newcomers go to the smallest group that has work or waits for it, else to the smallest; without
// any leader, the newcomer becomes one.
void Queue::on(Env& env, PeerId from, const Join& message) {
  heard(env, from);
  if (LeaderState* former = known(from)) {
    requeue(env, *former, from, "leader lost");
    leaders_.erase(from);
  }
  const auto rank = [](const LeaderState& leader) {
    return std::pair(leader.withdrawn(), leader.size);
  };
  const auto smallest = std::min_element(
      leaders_.begin(), leaders_.end(),
      [&](const auto& a, const auto& b) { return rank(a.second) < rank(b.second); });
  if (smallest == leaders_.end()) {
    admit(env, from);
    env.send(from, Refer{from});
  } else {
    smallest->second.size += message.slots;
    env.send(from, Refer{smallest->first});
  }
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
  if (env.now() - last_heard_ > options_.patience()) call_all(env);
}

// No peer sends to the queue any more: they are dead, cut off, or have given it up. Peers that gave
// it up after a long cut come back when they hear from it.
void Queue::call_all(Env& env) const {
  for (const PeerId peer : world_.others(env.self())) env.send(peer, QueueAlive{});
}

}  // namespace rhizome::agents::traffic
