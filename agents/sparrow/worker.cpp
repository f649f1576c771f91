#include "agents/sparrow/worker.hpp"

#include <algorithm>

namespace rhizome::agents::sparrow {

overlay::Advert Worker::advert() const {
  const Resources room = server_.free();
  const double free = room.cpus;
  return {.utility = free - static_cast<double>(crowd()),
          .free_cpus = free,
          .free_memory = room.memory};
}

bool Worker::serves(PeerId master) const {
  return std::any_of(running_.begin(), running_.end(),
                     [master](const auto& item) { return item.second == master; }) ||
         queue_.any_of(
             [master](const Entry& entry) { return entry.bound && entry.master == master; });
}

double Worker::utility(core::Time now) const {
  switch (options_.answers) {
    case Answers::queue_length:
      return -static_cast<double>(crowd());
    case Answers::estimated_wait:
      return -core::seconds(forecast_.wait(server_, now));
    case Answers::room:
      break;
  }
  return advert().utility;
}

Load Worker::load(const Env& env, std::uint32_t sampling) const {
  return {sampling, env.incarnation().value, utility(env.now()), capacity().room()};
}

bool Worker::sends_on(TaskId task) {
  constexpr std::uint32_t most = 8;  // our choice
  const auto standing = stand_for_.find(task);
  if (standing == stand_for_.end() || standing->second.sent_on == most) return false;
  ++standing->second.sent_on;
  return true;
}

void Worker::deposit(Env& env, const Probe& probe) {
  ++stand_for_[probe.task].placeholders;
  const std::uint64_t id = placeholder(env.incarnation().value, next_++);
  env.send(probe.master, Deposited{probe.task, id});
  Task told = task_in_need(probe.task, probe.needs);
  told.duration = probe.told;
  told.level = probe.level;
  enqueue(env, {.id = id, .master = probe.master, .task = told});
}

void Worker::place(Env& env, PeerId master, const Task& task) {
  if (tell_if_executed(env, master, task.id) || holds(task.id)) return;
  forecast_.queued(task);
  ++bound_;
  enqueue(env, {.id = next_++, .master = master, .task = task, .bound = true});
}

void Worker::watch(const Env& env, PeerId master) {
  if (master != env.self()) detector_.watch(master);
}

void Worker::enqueue(Env& env, Entry entry) {
  watch(env, entry.master);
  queue_.push(std::move(entry));
  look(env);
}

// Only the head is looked at: no entry passes the first by the discipline. A bound task starts. A
// placeholder reserves room, and interrupts no task until its own task has come. Where processors
// are divided, its turn comes at once.
void Worker::look(Env& env) {
  while (!queue_.empty() && server_.would_serve(queue_.front().task, env.now())) {
    const Entry head = queue_.pop();
    if (head.bound) {
      --bound_;
      begin(env, head.master, head.task);
      continue;
    }
    server_.reserve(head.id, head.task);
    env.send(head.master, Ready{head.task.id, head.id});
    reserved_[head.id] = {head, env.after(options_.probe_timeout, ReadyDue{head.id})};
    if (options_.start == Start::one_per_event) return;
  }
}

void Worker::begin(Env& env, PeerId master, const Task& task) {
  running_[task.id] = master;
  server_.accept(env, task);
}

// Asks again, because the question or its answer may be lost.
void Worker::on(Env& env, const ReadyDue& due) {
  const auto found = reserved_.find(due.placeholder);
  if (found == reserved_.end()) return;
  Reserved& reserved = found->second;
  env.send(reserved.entry.master, Ready{reserved.entry.task.id, due.placeholder},
           core::Cause::recovery);
  reserved.retry = env.after(options_.probe_timeout, due);
}

// A walk of the same task may end here again.
void Worker::forget(const Entry& entry) {
  detector_.unwatch(entry.master);
  if (entry.bound) {
    forecast_.gone(entry.task.id);
    return;
  }
  const auto standing = stand_for_.find(entry.task.id);
  if (--standing->second.placeholders == 0) stand_for_.erase(standing);
}

auto Worker::release(Env& env, Reservations::iterator reserved) -> Reservations::iterator {
  server_.release(reserved->first);
  env.cancel(reserved->second.retry);
  forget(reserved->second.entry);
  return reserved_.erase(reserved);
}

// The reservation becomes that of the task, which may be smaller but not larger. A master that has
// answered one question twice is told that the second task is not here.
void Worker::on(Env& env, PeerId from, const Assign& message) {
  const auto found = reserved_.find(message.placeholder);
  if (found == reserved_.end() || found->second.entry.master != from ||
      !resources_of(message.task).within(resources_of(found->second.entry.task)))
    return on(env, from, Audit{{message.task.id}, {}});
  watch(env, from);  // before the release, so that it is watched without a break
  release(env, found);
  const bool fresh = !tell_if_executed(env, from, message.task.id) && !holds(message.task.id);
  if (fresh) {
    begin(env, from, message.task);
  } else {
    detector_.unwatch(from);
  }
  if (options_.look_after_assign || !fresh) look(env);
}

// A placeholder may be cancelled before its turn or when it is ready.
void Worker::on(Env& env, PeerId from, const Cancel& message) {
  const auto found = reserved_.find(message.placeholder);
  if (found == reserved_.end()) {
    if (!withdraw(from, message.placeholder)) return;
  } else if (found->second.entry.master == from) {
    release(env, found);
  } else {
    return;
  }
  look(env);
}

// Takes a placeholder of that master out of the queue; false if it is not there.
bool Worker::withdraw(PeerId master, std::uint64_t placeholder) {
  const auto goes = [&](const Entry& entry) {
    const bool meant = !entry.bound && entry.id == placeholder && entry.master == master;
    if (meant) forget(entry);
    return meant;
  };
  return queue_.erase_if(goes) > 0;
}

void Worker::on(Env& env, const core::WorkDone& done) {
  const auto task = server_.finish(env, done);
  if (!task) return;
  const auto found = running_.find(task->id);
  env.send(found->second, Completed{product_of(*task)});
  detector_.unwatch(found->second);
  running_.erase(found);
  forecast_.gone(task->id);
  executed_.emplace(task->id, core::DeclaredBytes{task->gives});
  look(env);
}

// A task that was executed here is not run again: its result was lost, or it has another master
// now.
bool Worker::tell_if_executed(Env& env, PeerId master, TaskId task) const {
  const auto done = executed_.find(task);
  if (done == executed_.end()) return false;
  env.send(master, Completed{{task, done->second}}, core::Cause::recovery);
  return true;
}

bool Worker::holds(TaskId task) const {
  return running_.contains(task) ||
         queue_.any_of([task](const Entry& e) { return e.bound && e.task.id == task; });
}

bool Worker::stands(std::uint64_t placeholder) const {
  return reserved_.contains(placeholder) ||
         queue_.any_of([placeholder](const Entry& e) { return !e.bound && e.id == placeholder; });
}

void Worker::on(Env& env, PeerId from, const Audit& message) {
  Unknown unknown;
  for (const TaskId task : message.tasks)
    if (!tell_if_executed(env, from, task) && !holds(task)) unknown.tasks.push_back(task);
  for (const std::uint64_t placeholder : message.placeholders)
    if (!stands(placeholder)) unknown.placeholders.push_back(placeholder);
  if (!unknown.empty()) env.send(from, unknown);
}

// A new life of the master that began before the news of it came may have given some of the dropped
// entries.
void Worker::on(Env& env, const overlay::Liveness& news) {
  if (!news.gone()) return;
  const Unknown dropped = bury(env, news.peer);
  if (news.restarted && !dropped.empty()) env.send(news.peer, dropped);
  look(env);
}

Unknown Worker::bury(Env& env, PeerId master) {
  Unknown dropped;
  for (auto reserved = reserved_.begin(); reserved != reserved_.end();) {
    if (reserved->second.entry.master != master) {
      ++reserved;
      continue;
    }
    dropped.placeholders.push_back(reserved->first);
    reserved = release(env, reserved);
  }
  for (auto running = running_.begin(); running != running_.end();) {
    if (running->second != master) {
      ++running;
      continue;
    }
    dropped.tasks.push_back(running->first);
    forecast_.gone(running->first);
    running = running_.erase(running);
    detector_.unwatch(master);
  }
  server_.withdraw(env, dropped.tasks);
  queue_.erase_if([&](const Entry& entry) {
    if (entry.master != master) return false;
    if (entry.bound) {
      dropped.tasks.push_back(entry.task.id);
      --bound_;
    } else {
      dropped.placeholders.push_back(entry.id);
    }
    forget(entry);
    return true;
  });
  return dropped;
}

void Worker::stop(Env& env) {
  for (const auto& [id, reserved] : reserved_) env.cancel(reserved.retry);
  reserved_.clear();
  queue_.clear();
  bound_ = 0;
  stand_for_.clear();
  running_.clear();
  forecast_.clear();
  server_.stop(env);
}

}  // namespace rhizome::agents::sparrow
