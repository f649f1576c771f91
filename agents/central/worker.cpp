#include "agents/central/worker.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "agents/service_time.hpp"

namespace rhizome::agents::central {

// An assignment may arrive twice; the worker only repeats the answer for a batch that has ended.
void Worker::on(Env& env, PeerId from, const Assign& message) {
  if (repeats_) env.send(from, Got{message.epoch, message.batch});
  if (const auto told = unnoted_.find(message.batch); told != unnoted_.end()) {
    env.send(from, told->second, Cause::recovery);
    return;
  }
  if (std::find(ended_.begin(), ended_.end(), message.batch) != ended_.end()) return;
  if (held_.contains(message.batch) || !replace(env, message)) return;
  const auto place = held_.try_emplace(message.batch).first;
  HeldBatch& held = place->second;
  held = {.epoch = message.epoch, .from = from, .begun = env.now(), .tasks = message.tasks};
  for (const Task& task : held.tasks) batch_of_[task.id] = message.batch;
  if (message.load == Duration::zero()) {
    execute(env, held);
    return;
  }
  held.loading = true;
  held.load = env.work(
      {.recipe = {},
       .duration = core::from_seconds(core::seconds(message.load) / server_.capacity().speed)});
  loading_.emplace(held.load, message.batch);
}

// If two batches have the same task the later one is executed, in whichever order they arrive.
bool Worker::replace(Env& env, const Assign& message) {
  std::set<std::uint64_t> earlier;
  for (const Task& task : message.tasks) {
    const auto own = batch_of_.find(task.id);
    if (own == batch_of_.end()) continue;
    if (own->second > message.batch) return false;
    earlier.insert(own->second);
  }
  for (const std::uint64_t batch : earlier) stop(env, batch, held_.extract(batch).mapped());
  return true;
}

void Worker::execute(Env& env, HeldBatch& held) {
  held.loading = false;
  for (const Task& task : held.tasks) server_.accept(env, task);
}

void Worker::on(Env& env, PeerId from, const Preempt& message) {
  if (const auto told = unnoted_.find(message.batch); told != unnoted_.end()) {
    env.send(from, told->second, Cause::recovery);
    return;
  }
  auto held = held_.extract(message.batch);
  if (held) {
    end(env, message.batch, std::move(held.mapped()));
  } else if (std::find(ended_.begin(), ended_.end(), message.batch) == ended_.end()) {
    end(env, message.batch, {.epoch = message.epoch, .from = from, .begun = env.now()});
  }
}

void Worker::on(Env&, PeerId, const Noted& message) {
  const auto told = unnoted_.find(message.batch);
  if (told != unnoted_.end() && told->second.epoch == message.epoch) unnoted_.erase(told);
}

void Worker::on(Env& env, const core::WorkDone& done) {
  if (const auto loaded = loading_.extract(done.id)) {
    execute(env, held_.at(loaded.mapped()));
    return;
  }
  const auto task = server_.finish(env, done);
  if (!task) return;
  const std::uint64_t batch = batch_of_.extract(task->id).mapped();
  HeldBatch& held = held_.at(batch);
  held.executed.push_back(product_of(*task));
  if (held.executed.size() < held.tasks.size()) return;
  end(env, batch, std::move(held_.extract(batch).mapped()));
}

void Worker::stop(Env& env, std::uint64_t batch, const HeldBatch& held) {
  if (held.loading) {
    env.stop(held.load);
    loading_.erase(held.load);
  }
  std::vector<TaskId> left;
  for (const Task& task : held.tasks) {
    const auto own = batch_of_.find(task.id);
    if (own == batch_of_.end() || own->second != batch) continue;
    left.push_back(task.id);
    batch_of_.erase(own);
  }
  if (!left.empty()) server_.withdraw(env, left);
}

// Stops the tasks of the batch that are not executed, and reports the others.
void Worker::end(Env& env, std::uint64_t batch, HeldBatch held) {
  stop(env, batch, held);
  remember(batch);
  const Done done{held.epoch, batch, env.now() - held.begun, std::move(held.executed)};
  env.send(held.from, done);
  if (repeats_) unnoted_.emplace(batch, done);
}

void Worker::remember(std::uint64_t batch) {
  constexpr std::size_t most = 64;
  ended_.push_back(batch);
  if (ended_.size() > most) ended_.pop_front();
}

void Worker::stop(Env& env) {
  server_.stop(env);
  for (const auto& [work, batch] : loading_) env.stop(work);
  loading_.clear();
  held_.clear();
  batch_of_.clear();
  unnoted_.clear();
  ended_.clear();
}

void Worker::repeat(Env& env, PeerId head) const {
  for (const auto& [batch, done] : unnoted_) env.send(head, done, Cause::recovery);
}

}  // namespace rhizome::agents::central
