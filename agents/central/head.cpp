#include "agents/central/head.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "agents/central/sharing.hpp"

namespace rhizome::agents::central {

Head::Head(const Rules& rules, const World& world, Epoch epoch)
    : rules_(rules),
      world_(world),
      epoch_(epoch),
      queues_(rules.models.begin(), rules.models.end()),
      at_workers_(rules.models.size(), 0),
      targets_(rules.models.size(), 0),
      copier_(epoch) {}

void Head::begin(Env& env, const Copy& copy, bool present) {
  self_ = env.self();
  pinged_ = env.now();
  env.note(HeadElected{epoch_});
  hands_ = copy.hands();
  for (const Task& task : copy.undone()) take(task);
  for (std::size_t i = 0; i < copy.measured().size() && i < queues_.size(); ++i)
    queues_[i].remember(copy.measured()[i]);
  for (std::uint32_t i = 0; i < world_.peers(); ++i) {
    const PeerId peer{i};
    if (peer == self_ || peer == world_.source) continue;
    if (present && !world_.late.contains(peer)) admit(env, peer);
    if (!present) env.send(peer, Ping{epoch_, {}, 0}, Cause::election);
  }
  if (rules_.options.stores()) {
    copier_.go_on_at(world_.source);
    registered_ = true;
  } else {
    if (present) copier_.go_on_at(rules_.first_standby);
    registered_ = copier_.keeper() != core::no_peer;
    env.note(StandbyChanged{epoch_, copier_.keeper()});
  }
  if (!present) env.send(world_.source, Ping{epoch_, {}, 0}, Cause::election);
  settle(env);
}

std::size_t Head::waiting() const {
  std::size_t tasks = 0;
  for (const ModelQueue& queue : queues_) tasks += queue.waiting();
  return tasks;
}

void Head::take(const Task& task) { queues_[model_of(task)].add(task); }

void Head::on(Env& env, PeerId, const Hand& message) {
  if (hands_.insert(message.number).second) {
    for (const Task& task : message.tasks) take(task);
    copier_.taken(message.number, message.tasks);
    if (world_.loses) env.send(world_.source, Taken{message.number, false}, Cause::recovery);
  } else {
    const bool kept = registered_ && copier_.safe(message.number);
    env.send(world_.source, Taken{message.number, kept}, Cause::recovery);
  }
  settle(env);
}

void Head::on(Env& env, PeerId from, const Got& message) {
  heard(env, from);
  const auto batch = running_.find(message.batch);
  if (batch != running_.end() && batch->second.worker == from && message.epoch == epoch_)
    batch->second.got = true;
}

// The rest of a preempted batch returns to the front of its queue.
void Head::on(Env& env, PeerId from, const Done& message) {
  heard(env, from);
  if (message.epoch != epoch_) return;
  if (world_.loses) env.send(from, Noted{epoch_, message.batch});
  const auto found = running_.find(message.batch);
  if (found == running_.end() || found->second.worker != from) return;
  Batch batch = std::move(found->second);
  running_.erase(found);
  if (!batch.recalled) --at_workers_[batch.model];
  if (const auto place = places_.find(from); place != places_.end()) {
    place->second.held.erase(batch.id);
    offer(from, place->second);
  }
  report(env, message, batch, from);
  std::erase_if(batch.tasks, [&](const Task& task) {
    return std::any_of(message.tasks.begin(), message.tasks.end(),
                       [&](const Product& done) { return done.task == task.id; });
  });
  if (!batch.tasks.empty()) take_back(env, std::move(batch), "preempted");
  let_go(env, from);
  settle(env);
}

// Only a batch of full size is a measurement of its model's batch time.
void Head::report(Env& env, const Done& message, const Batch& batch, PeerId executor) {
  Reported reported{.report = {epoch_, ++reports_, {}}, .tasks = {}};
  for (const Product& done : message.tasks) {
    const auto task = std::find_if(batch.tasks.begin(), batch.tasks.end(),
                                   [&](const Task& each) { return each.id == done.task; });
    if (task == batch.tasks.end()) continue;
    reported.report.results.push_back({done, executor});
    reported.tasks.push_back(*task);
  }
  const std::size_t executed = reported.tasks.size();
  if (executed == 0) return;
  env.send(world_.source, reported.report);
  reported_.emplace(reports_, std::move(reported));
  if (executed < batch.tasks.size()) return;
  env.note(BatchEnded{batch.model, static_cast<std::uint32_t>(executed), message.took});
  ModelQueue& queue = queues_[batch.model];
  if (executed == queue.model().batch) queue.measure(message.took);
}

// The copy marks a task as done only after the door has counted it, because a report dies with the
// head.
void Head::on(Env& env, PeerId, const Counted& message) {
  if (message.epoch != epoch_) return;
  const auto counted = reported_.extract(message.number);
  if (!counted) return;
  for (const Task& task : counted.mapped().tasks) copier_.done(task.id);
  copier_.measured(measured());
  settle(env);
}

void Head::on(Env& env, PeerId from, const Relayed& message) {
  if (from != world_.source) heard(env, from);
  copier_.acknowledged(from, message);
  if (!registered_) register_copy(env);
  settle(env);
}

void Head::on(Env& env, PeerId, const Registered& message) {
  if (message.epoch != epoch_ || message.copy != copier_.copy()) return;
  if (!registered_) env.note(StandbyChanged{epoch_, message.standby});
  registered_ = true;
  settle(env);
}

std::vector<Measure> Head::measured() const {
  std::vector<Measure> all;
  for (const ModelQueue& queue : queues_) all.push_back(queue.measured());
  return all;
}

// The tasks in order of execution; reported tasks that are not counted yet are the oldest.
std::vector<Task> Head::undone() const {
  std::vector<Task> tasks;
  for (const auto& [number, reported] : reported_)
    tasks.insert(tasks.end(), reported.tasks.begin(), reported.tasks.end());
  for (const auto& [id, batch] : running_)
    tasks.insert(tasks.end(), batch.tasks.begin(), batch.tasks.end());
  for (const ModelQueue& queue : queues_) queue.list(tasks);
  return tasks;
}

// The door learns which peer may succeed the head, once that peer has a complete copy.
void Head::register_copy(Env& env) const {
  if (copier_.settled())
    env.send(world_.source, Register{epoch_, copier_.keeper(), copier_.copy()});
}

// After every event: hands out batches and relays changes of the books.
void Head::settle(Env& env) {
  serve(env);
  if (!rules_.options.stores()) copier_.flush(env);
  if (registered_)
    for (const std::uint32_t hand : copier_.safe_hands())
      env.send(world_.source, Taken{hand, true});
}

// Preempts as few batches as possible, and only while a model has less than its share and no worker
// is idle.
void Head::serve(Env& env) {
  const bool shares = queues_.size() > 1;
  if (shares) share(env);
  while (ModelQueue* queue = next_queue()) {
    const PeerId worker = next_idle();
    if (worker == core::no_peer) break;
    send(env, worker, *queue);
  }
  if (shares) preempt(env);
}

void Head::share(Env& env) {
  std::vector<double> rates;
  std::vector<std::uint32_t> models;
  const double speed = mean_speed();
  for (std::uint32_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].empty() && at_workers_[i] == 0) continue;
    models.push_back(i);
    rates.push_back(queues_[i].rate(speed));
  }
  const std::vector<std::uint32_t> shares = share_workers(rates, workers());
  std::vector<std::uint32_t> targets(queues_.size(), 0);
  for (std::size_t i = 0; i < models.size(); ++i) targets[models[i]] = shares[i];
  if (targets == targets_) return;
  targets_ = std::move(targets);
  for (std::size_t i = 0; i < models.size(); ++i)
    env.note(ShareChanged{models[i], shares[i], static_cast<std::uint32_t>(models.size())});
}

// The model that lacks most of its share. If all have their shares, any model with waiting queries:
// no worker is idle while there is work.
ModelQueue* Head::next_queue() {
  ModelQueue* next = nullptr;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].empty()) continue;
    const std::int64_t lack = std::int64_t{targets_[i]} - at_workers_[i];
    if (next != nullptr && lack <= most) continue;
    next = &queues_[i];
    most = lack;
  }
  return next;
}

void Head::send(Env& env, PeerId worker, ModelQueue& queue) {
  Batch batch = queue.next();
  batch.id = ++batches_;
  batch.model = static_cast<std::uint32_t>(&queue - queues_.data());
  batch.worker = worker;
  batch.sent = env.now();
  ++at_workers_[batch.model];
  places_.at(worker).held.insert(batch.id);
  for (const Task& task : batch.tasks) note_handed(env, task.id, worker);
  assign(env, batch, Assign::info.cause);
  running_.emplace(batch.id, std::move(batch));
}

void Head::assign(Env& env, const Batch& batch, Cause cause) {
  const Duration load = queues_[batch.model].model().load;
  env.send(batch.worker, Assign{epoch_, batch.id, load, batch.tasks}, cause);
}

// Preempts, of the models that have more than their share, the batch that was preempted least
// often, and of these the latest, so that the least work is lost.
void Head::preempt(Env& env) {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].empty()) continue;
    std::int64_t coming = 0;  // workers that have been asked to stop
    for (const auto& [id, batch] : running_) coming += batch.recalled ? 1 : 0;
    const std::size_t size = queues_[i].model().batch;
    const auto waits = static_cast<std::int64_t>((queues_[i].waiting() + size - 1) / size);
    std::int64_t lack = std::min(std::int64_t{targets_[i]} - at_workers_[i] - coming, waits);
    for (; lack > 0; --lack) {
      Batch* victim = nullptr;
      for (auto& [id, batch] : running_) {
        if (batch.recalled || batch.model == i || at_workers_[batch.model] <= targets_[batch.model])
          continue;
        if (victim == nullptr || batch.recalls <= victim->recalls) victim = &batch;
      }
      if (victim == nullptr) return;
      victim->recalled = true;
      victim->sent = env.now();
      ++victim->recalls;
      --at_workers_[victim->model];
      env.send(victim->worker, Preempt{epoch_, victim->id});
    }
  }
}

void Head::take_back(Env& env, Batch batch, std::string_view reason) {
  for (const Task& task : batch.tasks)
    env.note(TaskReissued{task.id, batch.worker, std::string(reason)});
  queues_[batch.model].put_back(std::move(batch));
}

void Head::repeat(Env& env) {
  for (auto& [id, batch] : running_) {
    if (env.now() - batch.sent < rules_.options.repeat || (batch.got && !batch.recalled)) continue;
    batch.sent = env.now();
    if (batch.recalled)
      env.send(batch.worker, Preempt{epoch_, id}, Cause::recovery);
    else
      assign(env, batch, Cause::recovery);
  }
  for (const auto& [number, reported] : reported_)
    env.send(world_.source, reported.report, Cause::recovery);
  copier_.repeat(env);
}

}  // namespace rhizome::agents::central
