// How a master looks for places: late binding sends probes, early binding samples loads.
#include <algorithm>
#include <numeric>

#include "agents/sparrow/master.hpp"

namespace rhizome::agents::sparrow {

// Tasks that a group runs need no search.
void Master::search(Env& env, const std::vector<TaskId>& tasks) {
  if (options_.leaders == Leaders::none) {
    search_alone(env, tasks);
    return;
  }
  std::vector<TaskId> others;
  for (const TaskId task : tasks) {
    if (led(task)) {
      worker_groups_.wait(env, tasks_.at(task)->task);
    } else {
      others.push_back(task);
    }
  }
  order(env);
  if (!others.empty()) search_alone(env, others);
}

void Master::search_alone(Env& env, const std::vector<TaskId>& tasks) {
  if (options_.sampling == Sampling::late) {
    search_late(env, tasks);
  } else {
    search_early(env, tasks, Search::first);
  }
}

void Master::order(Env& env) {
  for (const auto& [task, to, life] : worker_groups_.orders())
    place(env, *tasks_.at(task), to, life);
}

void Master::on(Env& env, PeerId from, const Enlisted& message) {
  worker_groups_.on(env, from, message);
  order(env);
}

// For a task that is too large for its group the master searches as if the job had no group.
void Master::on(Env& env, const GroupDue& due) {
  const std::vector<TaskId> others = worker_groups_.on(env, due);
  for (const TaskId task : others) tasks_.at(task)->alone = true;
  if (!others.empty()) search_alone(env, others);
}

void Master::search_late(Env& env, const std::vector<TaskId>& tasks) {
  for (const TaskId task : tasks) {
    PendingTask& known = *tasks_.at(task);
    known.wanted = options_.probes;
    known.deposited = 0;
    recount(known);
    env.cancel(known.probing);
    known.probing = env.after(options_.probe_timeout, ProbeDue{task});
  }
  const std::vector<TaskId> others = assign_self(env, tasks);
  if (options_.probing == Probing::per_job) {
    probe_for_job(env, others);
  } else {
    for (const TaskId task : others)
      probe(env, *tasks_.at(task), directions_or_self(env, options_.probes));
  }
}

// Tasks that have room here beside each other stay here (self-assignment); returns the others.
std::vector<TaskId> Master::assign_self(Env& env, const std::vector<TaskId>& tasks) {
  if (!options_.self_assign) return tasks;
  std::vector<TaskId> others;
  Resources taken{0, 0};
  for (const TaskId task : tasks) {
    PendingTask& known = *tasks_.at(task);
    const Resources needs = resources_of(known.task);
    if (parts_.worker.has_room(taken + needs)) {
      taken = taken + needs;
      known.wanted = 1;
      send_probe(env, env.self(), known);
    } else {
      others.push_back(task);
    }
  }
  return others;
}

// Probes d m distinct peers for m tasks, or all peers in turn where there are fewer, and at least
// min_probes. No peer is probed twice for one task: where a task would meet a peer again, the peers
// move on by one, and once every task has met every peer, no peer is left to be probed.
void Master::probe_for_job(Env& env, const std::vector<TaskId>& tasks) {
  if (tasks.empty()) return;
  const std::size_t asked =
      std::max<std::size_t>(options_.probes * tasks.size(), options_.min_probes);
  const std::vector<PeerId> peers = directions_or_self(env, asked);
  const std::size_t count = std::min(asked, tasks.size() * peers.size());
  const std::size_t round = std::lcm(tasks.size(), peers.size());
  for (const TaskId task : tasks) tasks_.at(task)->wanted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    PendingTask& known = *tasks_.at(tasks[i % tasks.size()]);
    ++known.wanted;
    send_probe(env, peers[(i + i / round) % peers.size()], known);
  }
}

void Master::probe(Env& env, PendingTask& known, const std::vector<PeerId>& peers) {
  for (const PeerId to : peers) send_probe(env, to, known);
}

void Master::send_probe(Env& env, PeerId to, PendingTask& known) const {
  const Step step = parts_.walks.first(known.probes++);
  Probe probe{known.task.id, resources_of(known.task), env.self(), step};
  if (parts_.worker.orders()) {
    probe.told = known.task.estimated();
    probe.level = known.task.level;
  }
  env.send(to, probe);
}

// Without neighbours, the peer itself.
std::vector<PeerId> Master::directions_or_self(Env& env, std::size_t count, Search search) {
  std::vector<PeerId> directions = search == Search::first
                                       ? parts_.next_hop_selector.directions(env, count)
                                       : parts_.next_hop_selector.elsewhere(env, count);
  if (directions.empty()) directions.push_back(env.self());
  return directions;
}

// A search without an answer, because all peers that are large enough are gone, is repeated more
// and more rarely: each of its walks takes all the hops that are allowed.
core::Duration Master::wait_for_answer(const PendingTask& known) const {
  constexpr std::uint32_t patient = 3;  // searches, which loss may have cost
  constexpr std::uint32_t most = 2;     // doublings
  const std::uint32_t more = known.searches_in_vain - std::min(known.searches_in_vain, patient);
  const std::uint32_t doublings = std::min(more, most);
  return options_.probe_timeout * (1U << doublings);
}

// Whether a placeholder of this master would hold the task when its turn comes. Tasks whose probes
// are on their way will have placeholders of their own.
bool Master::covered(const PendingTask& known) const {
  const std::uint32_t group = placeholders_.group(known.task.id);
  const auto settled = settled_.find(group);
  const std::size_t waiting = settled == settled_.end() ? 0 : settled->second;
  return placeholders_.standing(group) >= waiting &&
         placeholders_.fits(group, resources_of(known.task));
}

void Master::on(Env& env, const ProbeDue& due) {
  const auto found = tasks_.find(due.task);
  if (found == tasks_.end() || found->second->executor != core::no_peer) return;
  PendingTask& known = *found->second;
  if (known.deposited < known.wanted || !covered(known)) {
    probe(env, known, directions_or_self(env, 1, Search::again));
    ++known.searches_in_vain;
  }
  known.probing = env.after(wait_for_answer(known), due);
}

// Places tasks blindly, on the best of a sample for each task, or of one sample for the whole job.
// A task that was refused after it was sent blindly is sampled first.
void Master::search_early(Env& env, const std::vector<TaskId>& tasks, Search search) {
  std::vector<Task> together;
  core::Duration wait = options_.probe_timeout;
  for (const TaskId task : tasks) {
    PendingTask& known = *tasks_.at(task);
    if (options_.sampling == Sampling::batch) {
      together.push_back(known.task);
      wait = std::max(wait, wait_for_answer(known));
    } else if (options_.sampling == Sampling::random && !known.refused) {
      place(env, known, directions_or_self(env, 1, search).front(), {});
    } else {
      const std::size_t peers = options_.sampling == Sampling::random ? 1 : options_.probes;
      sampler_.ask(env, {known.task}, directions_or_self(env, peers, search),
                   wait_for_answer(known));
    }
  }
  if (together.empty()) return;
  const std::size_t peers =
      std::max<std::size_t>(options_.probes * together.size(), options_.min_probes);
  sampler_.ask(env, together, directions_or_self(env, peers, search), wait);
}

void Master::on(Env& env, PeerId from, const Load& message) {
  place(env, sampler_.heard(env, from, message));
}

void Master::on(Env& env, const SampleDue& due) { place(env, sampler_.timed_out(env, due)); }

void Master::place(Env& env, const Sampler::Choice& choice) {
  std::vector<TaskId> again;
  for (const auto& [task, peer, life] : choice) {
    const auto found = tasks_.find(task);
    if (found == tasks_.end() || found->second->executor != core::no_peer) continue;
    if (peer == core::no_peer) {
      ++found->second->searches_in_vain;
      again.push_back(task);
    } else {
      place(env, *found->second, peer, life);
    }
  }
  if (!again.empty()) search_early(env, again, Search::again);
}

void Master::place(Env& env, PendingTask& known, PeerId executor, Life life) {
  bind(env, known, executor, life);
  note_handed(env, known.task.id, executor);
  env.send(executor, Place{known.task});
}

}  // namespace rhizome::agents::sparrow
