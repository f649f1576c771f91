#include "agents/air_traffic/leader.hpp"

#include <algorithm>
#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::traffic {

Leader::Leader(const Options& options, const World& world, std::uint32_t own_slots)
    : options_(options),
      world_(world),
      queue_(world.source),
      own_slots_(own_slots),
      backoff_(options.round_trip()),
      calm_(options),
      edges_(options) {}

void Leader::begin(Env& env, const LeaderAppointment& command) {
  epoch_ = first_epoch_ = command.epoch;
  ticket_ = command.last_ticket;
  began_ = last_worker_ = env.now();
  for (const Member& member : command.members)
    workers_[member.id] = {
        .slots = member.slots, .last_heard = env.now(), .present = command.present};
  for (const PeerId edge : command.edges) edges_.link(env, edge);
  if (command.bereaved) edges_.bereave();
  layout_size_ = size();
  take(env);
}

std::vector<PeerId> Leader::acquaintances() const {
  std::vector<PeerId> all = edges_.list();
  for (const auto& [id, worker] : workers_) all.push_back(id);
  return all;
}

void Leader::cancel_timers(Env& env) { env.cancel(merge_timer_); }

// The group is idle: back to its layout's size if it has grown, and on to the next job.
void Leader::take(Env& env) {
  phase_ = Phase::asking;
  suitor_ = merge_asked_ = core::no_peer;
  if (options_.reorganise && size() > layout_size_) split(env, layout_size_);
  ++ticket_;
  ask(env);
}

void Leader::ask(Env& env) {
  if (phase_ == Phase::asking && !workers_.empty()) env.send(queue_, Take{ticket_, size()});
}

// A job that was not withdrawn in time is run, and the suitor refused.
void Leader::on(Env& env, PeerId from, const Portion& message) {
  if (from != queue_) return;
  const bool awaited = phase_ == Phase::asking || phase_ == Phase::withdrawing;
  if (message.ticket == ticket_ && awaited) {
    if (phase_ == Phase::withdrawing) env.send(suitor_, MergeRefuse{});
    suitor_ = core::no_peer;
    batch_ = {.ticket = ticket_, .total = message.total};
    accept(env, message);
    start_job(env);
  } else if (message.ticket != batch_.ticket) {
    env.send(queue_, Return{message.ticket});
  } else if (busy() && accept(env, message) && phase_ == Phase::running) {
    assign(env);
  }
}

// No task of a job that it was given has come.
void Leader::on(Env& env, PeerId from, const Given& message) {
  const bool awaited = phase_ == Phase::asking || phase_ == Phase::withdrawing;
  if (from != queue_ || message.ticket != ticket_ || !awaited) return;
  ask_for(env, LeaderJob{.ticket = ticket_, .total = message.total}.missing());
}

void Leader::ask_for(Env& env, const std::vector<std::uint32_t>& indexes) const {
  in_pieces(indexes, [&](std::size_t, std::vector<std::uint32_t> piece) {
    env.send(queue_, Missing{ticket_, std::move(piece)});
  });
}

// While tasks come, none is missing yet: their line may be slow.
bool Leader::accept(Env& env, const Portion& message) {
  batch_.asked_for_missing = env.now();
  batch_.asked = 0;
  return batch_.accept(message);
}

// A smaller job leaves a group over; a larger one wants more workers.
void Leader::start_job(Env& env) {
  if (options_.reorganise && batch_.total < size()) split(env, batch_.total);
  if (options_.reorganise && batch_.total > size()) {
    phase_ = Phase::merging;
    seek_workers(env);
  } else {
    phase_ = Phase::running;
    assign(env);
  }
}

// As many tasks for each worker as it has free slots.
void Leader::assign(Env& env) {
  for (auto& [id, worker] : workers_) {
    if (!worker.present) continue;
    std::vector<Task> tasks;
    while (!batch_.pending.empty() && worker.running.size() < worker.slots) {
      tasks.push_back(batch_.pending.front());
      note_handed(env, tasks.back().id, id);
      worker.running[tasks.back().id] = {.since = env.now()};
      batch_.pending.pop_front();
    }
    hand(env, id, tasks, core::Cause::work);
  }
}

void Leader::hand(Env& env, PeerId to, const std::vector<Task>& tasks, core::Cause cause) {
  if (!tasks.empty()) calm_.stir(env.now());
  const auto send = [&](std::size_t, std::vector<Task> piece) {
    env.send(to, Assign{std::move(piece)}, cause);
  };
  if (options_.bundled) return in_pieces(tasks, send);
  for (const Task& task : tasks) env.send(to, Assign{{task}}, cause);
}

void Leader::on(Env& env, PeerId from, const Done& message) {
  const auto worker = workers_.find(from);
  if (worker != workers_.end()) worker->second.last_heard = env.now();
  for (const Result& result : message.results) {
    if (worker != workers_.end()) worker->second.running.erase(result.task);
    std::erase_if(batch_.pending, [&](const Task& task) { return task.id == result.task; });
  }
  relay(env, message);
  if (phase_ != Phase::running) return;
  assign(env);
  finish_if_done(env);
}

// Results of this job go to the queue one by one or, bundled, all at its end. Results of other
// jobs, such as a former leader's, go at once. A repeated result, because the first was long on its
// way, may come when its job is over: it is not news either.
void Leader::relay(Env& env, const Done& message) {
  Done now;
  for (const Result& result : message.results) {
    const bool ours = batch_.find(result.task) != nullptr;
    const bool unknown = remember(result.task);
    const bool fresh = ours ? batch_.done.emplace(result.task, result).second : unknown;
    if (fresh && !(ours && busy() && options_.bundled)) now.results.push_back(result);
  }
  if (!now.results.empty()) env.send(queue_, now);
}

// Remembers a task; false if it was among the latest already.
bool Leader::remember(TaskId task) {
  constexpr std::size_t most_recent = 64;  // as many as a worker tells again
  if (std::find(recent_.begin(), recent_.end(), task) != recent_.end()) return false;
  recent_.push_back(task);
  if (recent_.size() > most_recent) recent_.pop_front();
  return true;
}

void Leader::finish_if_done(Env& env) {
  if (phase_ != Phase::running || batch_.unfinished() > 0) return;
  if (options_.bundled) {
    in_pieces(batch_.results(), [&](std::size_t, std::vector<Result> piece) {
      env.send(queue_, Done{std::move(piece)});
    });
  }
  take(env);
}

// The queue gave the job to another leader while this one was cut off, or other leaders completed
// it while it was lost on its way here.
void Leader::on(Env& env, PeerId from, const Voided& message) {
  if (from != queue_ || message.ticket != ticket_ || phase_ == Phase::lent) return;
  if (phase_ == Phase::withdrawing) env.send(suitor_, MergeRefuse{});
  for (auto& [id, worker] : workers_) worker.running.clear();
  take(env);
}

void Leader::on(Env& env, PeerId from, const Recall& message) {
  if (from != queue_) return;
  if (message.ticket != batch_.ticket || busy()) {
    env.send(queue_, Return{message.ticket});
    return;
  }
  Done again;
  for (const TaskId task : message.tasks)
    if (const auto found = batch_.done.find(task); found != batch_.done.end())
      again.results.push_back(found->second);
  if (!again.results.empty()) env.send(queue_, again, core::Cause::recovery);
}

// A worker that does not hold a task long after the task must have come denies it. Then either the
// assignment was lost on its way, or the result was, unless the result arrives within one way
// through the network. The leader assigns the task again, and the worker runs it or reports its
// result again. If another worker has done the task, this one is only freed of it.
void Leader::check_denied(Env& env, PeerId from, WorkerState& worker, const WorkerAlive& message) {
  std::vector<Task> lost;
  std::vector<TaskId> settled;
  for (auto& [id, assignment] : worker.running) {
    const bool held =
        std::find(message.holding.begin(), message.holding.end(), id) != message.holding.end();
    if (held || env.now() - assignment.since <= options_.round_trip()) {
      assignment.denied.reset();
    } else if (!assignment.denied) {
      assignment.denied = env.now();
    } else if (env.now() - *assignment.denied > options_.heartbeat()) {
      assignment = {.since = env.now()};
      const Task* task = batch_.find(id);
      if (task == nullptr || batch_.done.contains(id))
        settled.push_back(id);
      else
        lost.push_back(*task);
    }
  }
  for (const TaskId id : settled) worker.running.erase(id);
  hand(env, from, lost, core::Cause::recovery);
}

void Leader::check_workers(Env& env) {
  for (auto item = workers_.begin(); item != workers_.end();) {
    if (!calm_.dead(env.now(), item->second.last_heard)) {
      ++item;
      continue;
    }
    for (const auto& [task, assignment] : item->second.running)
      if (batch_.give_back(task)) env.note(TaskReissued{task, item->first, "dead worker"});
    item = workers_.erase(item);
  }
  if (phase_ == Phase::running) assign(env);
}

void Leader::check_portions(Env& env) {
  if (!busy() || batch_.portions.size() == batch_.total) return;
  if (env.now() - batch_.asked_for_missing <= backoff_.wait(batch_.asked)) return;
  batch_.asked_for_missing = env.now();
  ++batch_.asked;
  ask_for(env, batch_.missing());
}

void Leader::tick(Env& env, Duration silence) {
  check_workers(env);
  edges_.tick(env, queue_);
  end_lease(env);
  check_portions(env);
  seek_more_workers(env);
  mind_solitude(env);
  if (!disbanded_) show_life(env, silence);
}

}  // namespace rhizome::agents::traffic
