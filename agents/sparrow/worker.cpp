#include "agents/sparrow/worker.hpp"

#include <algorithm>

#include "agents/sparrow/sparrow.hpp"

namespace rhizome::agents::sparrow {

overlay::Advert Worker::advert() const {
  return {.cpus = static_cast<double>(executor_.capacity().slots),
          .free_cpus = static_cast<double>(executor_.free_slots()),
          .free_memory = executor_.free_memory(),
          .queued = static_cast<std::uint32_t>(queue_.size())};
}

void Worker::deposit(Env& env, const Probe& probe) {
  had_.insert(probe.task);
  const std::uint64_t id = (std::uint64_t{env.incarnation().value} << 40U) + next_++;
  env.send(probe.master, Deposited{probe.task, id});
  enqueue(env,
          {.id = id,
           .master = probe.master,
           .task = {.id = probe.task, .memory = probe.needs.memory, .cpus = probe.needs.cpus}});
}

void Worker::place(Env& env, PeerId master, const Task& task) {
  if (holds(task.id)) return;
  enqueue(env, {.id = next_++, .master = master, .task = task, .bound = true});
}

void Worker::enqueue(Env& env, Entry entry) {
  if (entry.master != env.self()) detector_.watch(entry.master);
  queue_.push_back(std::move(entry));
  look(env);
}

// The head only: a queue that is first in, first out. What is bound starts, a placeholder reserves.
void Worker::look(Env& env) {
  while (!queue_.empty() && has_room(requisites_of(queue_.front().task))) {
    const Entry head = queue_.front();
    queue_.pop_front();
    if (head.bound) {
      begin(env, head.master, head.task);
    } else {
      executor_.reserve(head.task);
      env.send(head.master, Ready{head.task.id, head.id});
      reserved_[head.id] = {head, env.after(options_.probe_timeout, ReadyDue{head.id})};
    }
    if (options_.start == Start::one_per_event) return;
  }
}

void Worker::begin(Env& env, PeerId master, const Task& task) {
  running_[task.id] = master;
  executor_.start(env, task);
}

// The question or its answer may be lost.
void Worker::on(Env& env, const ReadyDue& due) {
  const auto found = reserved_.find(due.placeholder);
  if (found == reserved_.end()) return;
  Reserved& reserved = found->second;
  env.send(reserved.entry.master, Ready{reserved.entry.task.id, due.placeholder},
           core::Cause::recovery);
  reserved.retry = env.after(options_.probe_timeout, due);
}

void Worker::release(Env& env, std::map<std::uint64_t, Reserved>::iterator reserved) {
  executor_.release(reserved->second.entry.task);
  env.cancel(reserved->second.retry);
  reserved_.erase(reserved);
}

// The reservation becomes the task's own, which may be smaller.
void Worker::on(Env& env, PeerId from, const Assign& message) {
  const auto found = reserved_.find(message.placeholder);
  if (found == reserved_.end() || found->second.entry.master != from) return;
  release(env, found);
  if (holds(message.task.id)) {
    detector_.unwatch(from);
  } else {
    begin(env, from, message.task);
  }
  look(env);
}

void Worker::on(Env& env, PeerId from, const Cancel& message) {
  const auto found = reserved_.find(message.placeholder);
  if (found == reserved_.end() || found->second.entry.master != from) return;
  release(env, found);
  detector_.unwatch(from);
  look(env);
}

void Worker::on(Env& env, const core::WorkDone& done) {
  const auto task = executor_.finish(env, done);
  if (!task) return;
  const auto found = running_.find(task->id);
  env.send(found->second, Completed{task->id});
  detector_.unwatch(found->second);
  running_.erase(found);
  executed_.insert(task->id);
  look(env);
}

bool Worker::holds(TaskId task) const {
  return running_.contains(task) ||
         std::any_of(queue_.begin(), queue_.end(),
                     [task](const Entry& e) { return e.bound && e.task.id == task; });
}

bool Worker::stands(std::uint64_t placeholder) const {
  return reserved_.contains(placeholder) ||
         std::any_of(queue_.begin(), queue_.end(),
                     [placeholder](const Entry& e) { return !e.bound && e.id == placeholder; });
}

void Worker::on(Env& env, PeerId from, const Audit& message) {
  Unknown unknown;
  for (const TaskId task : message.tasks) {
    if (executed_.contains(task)) {
      env.send(from, Completed{task}, core::Cause::recovery);
    } else if (!holds(task)) {
      unknown.tasks.push_back(task);
    }
  }
  for (const std::uint64_t placeholder : message.placeholders)
    if (!stands(placeholder)) unknown.placeholders.push_back(placeholder);
  if (!unknown.tasks.empty() || !unknown.placeholders.empty()) env.send(from, unknown);
}

void Worker::bury(Env& env, PeerId master) {
  const auto forget = [&] { detector_.unwatch(master); };
  for (auto reserved = reserved_.begin(); reserved != reserved_.end();) {
    const auto here = reserved++;
    if (here->second.entry.master != master) continue;
    release(env, here);
    forget();
  }
  for (auto running = running_.begin(); running != running_.end();) {
    if (running->second != master) {
      ++running;
      continue;
    }
    executor_.stop(env, running->first);
    had_.erase(running->first);
    running = running_.erase(running);
    forget();
  }
  std::erase_if(queue_, [&](const Entry& entry) {
    if (entry.master != master) return false;
    had_.erase(entry.task.id);
    forget();
    return true;
  });
  look(env);
}

void Worker::stop(Env& env) {
  for (const auto& [id, reserved] : reserved_) env.cancel(reserved.retry);
  reserved_.clear();
  queue_.clear();
  running_.clear();
  executor_.stop_all(env);
}

}  // namespace rhizome::agents::sparrow
