#include "agents/sparrow/master.hpp"

#include <algorithm>

#include "agents/sparrow/sparrow.hpp"

namespace rhizome::agents::sparrow {

void Master::watch(const Env& env, PeerId peer) {
  if (peer != env.self()) detector_.watch(peer);
}

void Master::submit(Env& env, const std::vector<Task>& tasks) {
  std::vector<TaskId> fresh;
  for (const Task& task : tasks) {
    if (!tasks_.try_emplace(task.id, Known{.task = task}).second) continue;
    env.note(facts::about(facts::task_submitted, task.id));
    waiting_.push_back(task.id);
    fresh.push_back(task.id);
  }
  search(env, fresh);
}

// Late binding probes for each task, early binding samples loads.
void Master::search(Env& env, const std::vector<TaskId>& tasks) {
  if (options_.sampling == Sampling::batch) {
    sample(env, tasks);
    return;
  }
  for (const TaskId task : tasks) {
    if (options_.sampling == Sampling::late) {
      Known& known = tasks_.at(task);
      const bool here = options_.self_assign && worker_.has_room(requisites_of(known.task));
      known.wanted = here ? 1 : options_.probes;
      known.deposited = 0;
      if (here) {
        env.send(env.self(), Probe{task, requisites_of(known.task), env.self(), 0});
      } else {
        probe(env, known, options_.probes);
      }
      env.cancel(known.probing);
      known.probing = env.after(options_.probe_timeout, ProbeDue{task});
    } else {
      sample(env, {task});
    }
  }
}

// Without neighbours, oneself.
void Master::probe(Env& env, Known& known, std::size_t peers) {
  std::vector<PeerId> directions = compass_.directions(env, peers);
  if (directions.empty()) directions.push_back(env.self());
  for (const PeerId to : directions)
    env.send(to, Probe{known.task.id, requisites_of(known.task), env.self(), 0});
}

// Some placeholder of ours would hold it when its turn comes. Tasks whose probes are on their way
// will have placeholders of their own; under per-job binding only those of one job count.
bool Master::covered(const Known& known) const {
  const auto counts = [&](TaskId task) {
    return options_.binding == Binding::per_master || task.job == known.task.id.job;
  };
  const auto settled = std::count_if(waiting_.begin(), waiting_.end(), [&](TaskId task) {
    const Known& other = tasks_.at(task);
    return counts(task) && other.deposited >= other.wanted;
  });
  const Requisites needs = requisites_of(known.task);
  std::ptrdiff_t standing = 0;
  bool fits = false;
  for (const auto& [place, outstanding] : placeholders_) {
    if (!counts(outstanding.task)) continue;
    ++standing;
    fits = fits || needs.within(outstanding.needs);
  }
  return fits && standing >= settled;
}

void Master::on(Env& env, const ProbeDue& due) {
  const auto found = tasks_.find(due.task);
  if (found == tasks_.end() || found->second.executor != core::nobody) return;
  Known& known = found->second;
  if (known.deposited < known.wanted || !covered(known)) probe(env, known, 1);
  known.probing = env.after(options_.probe_timeout, due);
}

void Master::on(Env& env, PeerId from, const Deposited& message) {
  const auto found = tasks_.find(message.task);
  if (found == tasks_.end()) return;
  ++found->second.deposited;
  const Place place{from, message.placeholder};
  if (answered_.contains(place)) return;  // its Ready came first
  const Outstanding outstanding{message.task, requisites_of(found->second.task), env.now()};
  if (!placeholders_.emplace(place, outstanding).second) return;
  watch(env, from);
  audit_soon(env);
}

void Master::forget_placeholder(Place place) {
  if (placeholders_.erase(place) > 0) detector_.unwatch(place.first);
}

std::optional<TaskId> Master::oldest_for(const Ready& ready, const Requisites& room) const {
  for (const TaskId task : waiting_) {
    if (options_.binding == Binding::per_job && task.job != ready.task.job) continue;
    if (requisites_of(tasks_.at(task).task).within(room)) return task;
  }
  return {};
}

// A question that comes twice is answered twice alike.
void Master::on(Env& env, PeerId from, const Ready& message) {
  const Place place{from, message.placeholder};
  if (const auto before = answered_.find(place); before != answered_.end()) {
    const auto known = before->second ? tasks_.find(*before->second) : tasks_.end();
    if (known != tasks_.end() && known->second.executor == from) {
      env.send(from, Assign{message.placeholder, known->second.task}, core::Cause::recovery);
    } else {
      env.send(from, Cancel{message.placeholder}, core::Cause::recovery);
    }
    return;
  }
  const auto asked = tasks_.find(message.task);
  const auto outstanding = placeholders_.find(place);
  std::optional<TaskId> chosen;
  if (outstanding != placeholders_.end()) {
    chosen = oldest_for(message, outstanding->second.needs);
  } else if (asked != tasks_.end()) {
    chosen = oldest_for(message, requisites_of(asked->second.task));
  }
  answered_[place] = chosen;
  if (!chosen) {
    forget_placeholder(place);
    env.send(from, Cancel{message.placeholder});
    return;
  }
  Known& known = tasks_.at(*chosen);
  bind(env, known, from);
  forget_placeholder(place);  // last, so that the peer is watched without a break
  env.send(from, Assign{message.placeholder, known.task});
}

void Master::bind(Env& env, Known& known, PeerId executor) {
  std::erase(waiting_, known.task.id);
  env.cancel(known.probing);
  known.executor = executor;
  known.bound_at = env.now();
  watch(env, executor);
  audit_soon(env);
}

void Master::audit_soon(Env& env) {
  if (!std::exchange(audits_, true)) auditing_ = env.after(options_.audit_after, AuditDue{});
}

// To the head of those that wait, to be placed anew.
void Master::unbind(Env& env, Known& known, std::string_view reason) {
  env.note(facts::about(facts::task_reissued, known.task.id, known.executor, reason));
  detector_.unwatch(known.executor);
  known.executor = core::nobody;
  waiting_.push_front(known.task.id);
  search(env, {known.task.id});
}

// A result that comes twice is told to the source once more: it counts.
void Master::on(Env& env, PeerId from, const Completed& message) {
  const auto found = tasks_.find(message.task);
  if (found != tasks_.end()) {
    Known& known = found->second;
    if (known.executor != core::nobody) detector_.unwatch(known.executor);
    env.cancel(known.probing);
    std::erase(waiting_, message.task);
    tasks_.erase(found);
  }
  unreported_[message.task] = {from, env.now()};
  env.send(source_, Report{message.task, from});
  if (!std::exchange(reports_, true)) reporting_ = env.after(options_.probe_timeout, ReportDue{});
}

void Master::on(Env&, PeerId, const Noted& message) { unreported_.erase(message.task); }

void Master::on(Env& env, const ReportDue&) {
  reports_ = !unreported_.empty();
  if (!reports_) return;
  for (const auto& [task, report] : unreported_)
    if (env.now() - report.since >= options_.probe_timeout)
      env.send(source_, Report{task, report.executor}, core::Cause::recovery);
  reporting_ = env.after(options_.probe_timeout, ReportDue{});
}

void Master::on(Env& env, const AuditDue&) {
  std::map<PeerId, Audit> audits;
  audits_ = false;
  for (const auto& [task, known] : tasks_) {
    if (known.executor == core::nobody) continue;
    audits_ = true;
    if (env.now() - known.bound_at >= options_.audit_after)
      audits[known.executor].tasks.push_back(task);
  }
  for (const auto& [place, outstanding] : placeholders_) {
    audits_ = true;
    if (env.now() - outstanding.since >= options_.audit_after)
      audits[place.first].placeholders.push_back(place.second);
  }
  for (const auto& [executor, audit] : audits) env.send(executor, audit);
  if (audits_) auditing_ = env.after(options_.audit_after, AuditDue{});
}

void Master::on(Env& env, PeerId from, const Unknown& message) {
  for (const TaskId task : message.tasks)
    if (const auto found = tasks_.find(task); found != tasks_.end())
      if (found->second.executor == from) unbind(env, found->second, "lost on the way");
  for (const std::uint64_t placeholder : message.placeholders)
    forget_placeholder({from, placeholder});
}

void Master::sample(Env& env, const std::vector<TaskId>& tasks) {
  const bool blind = options_.sampling == Sampling::random;
  std::vector<PeerId> asked = compass_.directions(env, blind ? 1 : options_.probes * tasks.size());
  if (asked.empty()) asked.push_back(env.self());
  if (blind) {
    for (const TaskId task : tasks) place(env, task, asked.front());
    return;
  }
  const std::uint32_t number = next_sampling_++;
  for (const PeerId peer : asked) env.send(peer, Query{number});
  samples_[number] = {
      tasks, asked.size(), {}, env.after(options_.probe_timeout, SampleDue{number})};
}

void Master::on(Env& env, PeerId from, const Load& message) {
  const auto found = samples_.find(message.sampling);
  if (found == samples_.end()) return;
  found->second.loads.emplace_back(message.utility, from);
  if (found->second.loads.size() == found->second.asked) decide(env, message.sampling);
}

void Master::on(Env& env, const SampleDue& due) {
  if (samples_.contains(due.sampling)) decide(env, due.sampling);
}

// The best of the sample for the first task, the next best for the next. Nobody answered: again.
void Master::decide(Env& env, std::uint32_t sampling) {
  Sample sample = std::move(samples_.at(sampling));
  samples_.erase(sampling);
  env.cancel(sample.due);
  if (sample.loads.empty()) {
    search(env, sample.tasks);
    return;
  }
  std::stable_sort(sample.loads.begin(), sample.loads.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < sample.tasks.size(); ++i)
    place(env, sample.tasks[i], sample.loads[i % sample.loads.size()].second);
}

void Master::place(Env& env, TaskId task, PeerId executor) {
  const auto found = tasks_.find(task);
  if (found == tasks_.end() || found->second.executor != core::nobody) return;
  bind(env, found->second, executor);
  env.send(executor, sparrow::Place{found->second.task});
}

void Master::disown(Env& env, TaskId task) {
  const auto found = tasks_.find(task);
  if (found == tasks_.end() || found->second.executor != core::nobody) return;
  env.cancel(found->second.probing);
  std::erase(waiting_, task);
  tasks_.erase(found);
}

void Master::bury(Env& env, PeerId executor) {
  for (auto place = placeholders_.begin(); place != placeholders_.end();) {
    if (place->first.first != executor) {
      ++place;
      continue;
    }
    place = placeholders_.erase(place);
    detector_.unwatch(executor);
  }
  std::vector<TaskId> lost;
  for (const auto& [task, known] : tasks_)
    if (known.executor == executor) lost.push_back(task);
  for (auto task = lost.rbegin(); task != lost.rend(); ++task)
    unbind(env, tasks_.at(*task), "dead executor");
}

void Master::stop(Env& env) {
  for (const auto& [task, known] : tasks_) env.cancel(known.probing);
  for (const auto& [number, sample] : samples_) env.cancel(sample.due);
  env.cancel(auditing_);
  env.cancel(reporting_);
}

}  // namespace rhizome::agents::sparrow
