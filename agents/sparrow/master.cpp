#include "agents/sparrow/master.hpp"

#include <algorithm>

#include "core/peer/spare.hpp"

namespace rhizome::agents::sparrow {

void Master::submit(Env& env, const std::vector<Task>& tasks) {
  std::vector<TaskId> fresh;
  for (const Task& task : tasks) {
    std::unique_ptr<PendingTask>& known = tasks_[task.id];
    if (known != nullptr) continue;
    known = std::make_unique<PendingTask>(PendingTask{.task = task});
    waiting_.push_back(task.id);
    fresh.push_back(task.id);
  }
  if (!fresh.empty()) search(env, fresh);
}

// For a completed task the group of the placeholder is not known any more: the placeholder will be
// cancelled.
void Master::on(Env& env, PeerId from, const Deposited& message) {
  const auto found = tasks_.find(message.task);
  if (found == tasks_.end() || parts_.detector.is_past(from, life_of(message.placeholder))) return;
  PendingTask& known = *found->second;
  const Placeholders::Outstanding outstanding{message.task, resources_of(known.task), env.now()};
  if (!placeholders_.deposited({from, message.placeholder}, outstanding)) return;
  ++known.deposited;
  known.searches_in_vain = 0;
  recount(known);
  audit_soon(env);
  cancel_spare(env, message.task);
}

// Notes whether all placeholders of a waiting task have been reported.
void Master::recount(PendingTask& known) {
  const bool settled = known.executor == core::no_peer && known.deposited >= known.wanted;
  if (settled == known.settled) return;
  known.settled = settled;
  std::size_t& count = settled_[placeholders_.group(known.task.id)];
  count = settled ? count + 1 : count - 1;
}

// The task that the placeholder may serve and has room for: the first by the discipline of peers;
// of equal tasks the oldest.
std::optional<TaskId> Master::choose(Spot spot, TaskId asked) const {
  const Placeholders::Outstanding* outstanding = placeholders_.find(spot);
  const auto known = tasks_.find(asked);
  if (outstanding == nullptr && known == tasks_.end()) return {};
  const Resources room =
      outstanding != nullptr ? outstanding->needs : resources_of(known->second->task);
  std::optional<TaskId> first;
  core::Duration least{};
  for (const TaskId id : waiting_) {
    if (placeholders_.group(id) != placeholders_.group(asked)) continue;
    if (led(id)) continue;
    const Task& task = tasks_.at(id)->task;
    if (!resources_of(task).within(room)) continue;
    if (!parts_.worker.orders()) return id;
    const core::Duration rank = parts_.worker.rank(task);
    if (first && rank >= least) continue;
    first = id;
    least = rank;
  }
  return first;
}

void Master::on(Env& env, PeerId from, const Ready& message) {
  if (parts_.detector.is_past(from, life_of(message.placeholder))) return;
  const Spot spot{from, message.placeholder};
  if (const auto* before = placeholders_.answer(spot)) {
    answer_again(env, spot, *before);
  } else if (const auto chosen = choose(spot, message.task)) {
    assign(env, *tasks_.at(*chosen), spot);
  } else {
    placeholders_.answered(spot, {}, env.now());
    env.send(from, Cancel{message.placeholder});
  }
}

void Master::answer_again(Env& env, Spot spot, const Placeholders::Answer& before) {
  const auto known = before.task ? tasks_.find(*before.task) : tasks_.end();
  if (known != tasks_.end() && known->second->spot == spot) {
    env.send(spot.first, Assign{spot.second, known->second->task}, core::Cause::recovery);
  } else {
    env.send(spot.first, Cancel{spot.second}, core::Cause::recovery);
  }
}

void Master::assign(Env& env, PendingTask& known, Spot spot) {
  bind(env, known, spot.first, life_of(spot.second));
  known.spot = spot;
  placeholders_.answered(spot, known.task.id, env.now());
  note_handed(env, known.task.id, spot.first);
  env.send(spot.first, Assign{spot.second, known.task});
  cancel_spare(env, known.task.id);
}

// The executor of a blindly placed task has an unknown life.
void Master::bind(Env& env, PendingTask& known, PeerId executor, Life life) {
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), known.task.id));
  env.cancel(known.probing);
  known.executor = executor;
  known.bound_at = known.asked_at = env.now();
  known.asked = known.searches_in_vain = 0;
  recount(known);
  if (executor != env.self()) parts_.detector.watch(executor, life);
  audit_soon(env);
}

// Puts the task back at the head of the waiting ones, to be placed anew.
void Master::unbind(Env& env, PendingTask& known, std::string_view reason) {
  env.note(TaskReissued{known.task.id, known.executor, std::string(reason)});
  parts_.detector.unwatch(known.executor);
  known.former.push_back(known.executor);
  known.executor = core::no_peer;
  known.spot.reset();
  known.deposited = 0;
  waiting_.push_front(known.task.id);
  worker_groups_.settle(known.task.id);
  search(env, {known.task.id});
}

// Proactive cancellation takes back placeholders that no waiting task can use any more.
void Master::cancel_spare(Env& env, TaskId task) {
  if (options_.cancellation == Cancellation::lazy) return;
  const std::uint32_t group = placeholders_.group(task);
  const bool needed = std::any_of(waiting_.begin(), waiting_.end(), [&](TaskId waiting) {
    return placeholders_.group(waiting) == group && !led(waiting);
  });
  if (needed) return;
  for (const Spot& spot : placeholders_.of(group)) {
    placeholders_.answered(spot, {}, env.now());
    env.send(spot.first, Cancel{spot.second});
  }
}

// The result of a task that is not done counts only from an executor that was given it. For a task
// that is done a second result counts, and the source is told, unless it is the first result once
// more: the answer to a question that crossed it.
void Master::on(Env& env, PeerId from, const Completed& message) {
  if (const auto found = tasks_.find(message.task); found != tasks_.end()) {
    const PendingTask& known = *found->second;
    if (known.executor != from &&
        std::find(known.former.begin(), known.former.end(), from) == known.former.end())
      return;
    if (known.executor == from) learn(env, known);
    drop(env, found);
    order(env);
  } else if (const auto done = done_.find(message.task);
             done != done_.end() && done->second == from) {
    return;
  }
  if (done_.try_emplace(message.task, from).second) env.raise(Settled{message.task});
  parts_.reporter.report(env, message.task, from);
}

bool Master::tell_if_done(Env& env, TaskId task) {
  const auto done = done_.find(task);
  if (done == done_.end()) return false;
  parts_.reporter.report(env, task, done->second);
  return true;
}

void Master::drop(Env& env, Tasks::iterator found) {
  PendingTask& known = *found->second;
  const TaskId task = known.task.id;
  if (known.settled) --settled_[placeholders_.group(task)];
  if (known.executor != core::no_peer) {
    parts_.detector.unwatch(known.executor);
  } else {
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), task));
  }
  env.cancel(known.probing);
  if (known.spot) placeholders_.forget_answer(*known.spot);
  worker_groups_.settle(task);
  tasks_.erase(found);
  core::release_spare(tasks_);
  cancel_spare(env, task);
}

void Master::audit_soon(Env& env) {
  if (!std::exchange(audits_, true)) auditing_ = env.after(patience(), AuditDue{});
}

// A lost result causes no message: the master asks about a task that takes much longer than all
// before. Before the first result it is not known how long tasks take.
core::Duration Master::patience() const {
  if (longest_ == core::Duration::zero()) return options_.audit_after;
  const core::Duration late = 2 * std::min(longest_, options_.audit_after);
  return std::min(options_.audit_after, std::max(options_.probe_timeout, late));
}

// If the master asked about a task, it cannot tell which message led to the result (as in Karn and
// Partridge 1987).
void Master::learn(Env& env, const PendingTask& known) {
  if (known.asked > 0) return;
  const bool first = longest_ == core::Duration::zero();
  longest_ = std::max(longest_, env.now() - known.bound_at);
  if (!first || !audits_) return;
  env.cancel(auditing_);
  auditing_ = env.after(patience(), AuditDue{});
}

// Each further question waits twice as long, because the task may just be long.
bool Master::is_overdue(const PendingTask& known, core::Time now) const {
  const core::Duration wait = patience() * (1U << std::min(known.asked, 10U));
  return now - known.asked_at >= std::min(options_.audit_after, wait);
}

// The tasks that have been out for long and the placeholders that have stood for as long, by
// executor.
template <class IsOut>
std::map<PeerId, Audit> Master::audits_of(IsOut&& is_out, core::Time since) const {
  std::map<PeerId, Audit> audits;
  for (const auto& [task, known] : tasks_)
    if (known->executor != core::no_peer && is_out(*known))
      audits[known->executor].tasks.push_back(task);
  for (const auto& [spot, outstanding] : placeholders_.all())
    if (outstanding.since <= since) audits[spot.first].placeholders.push_back(spot.second);
  return audits;
}

// Older answers may be forgotten: a peer that repeats a question after that gets a new answer, and
// an audit finds a task that was given twice.
void Master::on(Env& env, const AuditDue&) {
  const core::Time since = env.now() - options_.audit_after;
  const auto overdue = [&](const PendingTask& known) { return is_overdue(known, env.now()); };
  for (const auto& [executor, audit] : audits_of(overdue, since)) {
    for (const TaskId task : audit.tasks) {
      PendingTask& known = *tasks_.at(task);
      known.asked_at = env.now();
      ++known.asked;
    }
    env.send(executor, audit);
  }
  placeholders_.forget_answers_before(since);
  audits_ = !placeholders_.all().empty() || std::any_of(tasks_.begin(), tasks_.end(), [](auto& t) {
    return t.second->executor != core::no_peer;
  });
  if (audits_) auditing_ = env.after(patience(), AuditDue{});
}

void Master::on(Env& env, PeerId from, const Unknown& message) {
  for (const TaskId task : message.tasks) {
    const auto found = tasks_.find(task);
    if (found == tasks_.end() || found->second->executor != from) continue;
    found->second->refused = true;
    worker_groups_.strike(task.job, from);
    unbind(env, *found->second, "lost on the way");
  }
  for (const std::uint64_t placeholder : message.placeholders)
    placeholders_.forget({from, placeholder});
}

void Master::disown(Env& env, TaskId task) {
  const auto found = tasks_.find(task);
  if (found != tasks_.end() && found->second->executor == core::no_peer) drop(env, found);
}

void Master::on(Env& env, const overlay::Liveness& news) {
  if (news.gone()) {
    bury(env, news.peer);
  } else if (news.kind == overlay::Liveness::Kind::alive) {
    audit(env, news.peer);
  }
}

// A peer that was silent for a while is asked at once what it still has: a message to it may be
// lost, and so may the news of its restart if it was given a task blindly. Messages that may be
// under way to it are left out: a round lasts four delays at least.
void Master::audit(Env& env, PeerId executor) {
  const core::Time since = env.now() - options_.detector_round / 4;
  const auto before = [since](const PendingTask& known) { return known.bound_at <= since; };
  const auto audits = audits_of(before, since);
  if (const auto found = audits.find(executor); found != audits.end())
    env.send(executor, found->second);
}

void Master::bury(Env& env, PeerId executor) {
  placeholders_.bury(executor);
  worker_groups_.strike(executor);
  std::vector<TaskId> lost;
  for (const auto& [task, known] : tasks_)
    if (known->executor == executor) lost.push_back(task);
  for (auto task = lost.rbegin(); task != lost.rend(); ++task)
    unbind(env, *tasks_.at(*task), "dead executor");
}

void Master::stop(Env& env) {
  for (const auto& [task, known] : tasks_) env.cancel(known->probing);
  sampler_.stop(env);
  worker_groups_.stop(env);
  env.cancel(auditing_);
}

}  // namespace rhizome::agents::sparrow
