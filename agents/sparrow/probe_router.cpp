#include "agents/sparrow/probe_router.hpp"

namespace rhizome::agents::sparrow {

// A probe or query that has gone half of its way without meeting a peer that is large enough goes
// on to any peer: the peers in the views may all be too small.
template <class Walk>
bool ProbeRouter::pass_on(Env& env, PeerId from, const Walk& walk) {
  if (!parts_.walks.may_go_on(walk.step)) return false;
  const bool lost = !parts_.worker.large_enough(walk.needs) && parts_.walks.is_far(walk.step);
  const PeerId next =
      lost ? parts_.next_hop_selector.anybody(env) : parts_.next_hop_selector.next(env, from);
  if (next == core::no_peer) return false;
  Walk passed = walk;
  ++passed.step.value;
  env.send(next, passed);
  return true;
}

// A probe goes on while it should not stay: where a placeholder for its task stands already, where
// the peer is too small or serves a leader, and, with propagation, where it would wait. A probe
// that its master sent to itself, because no other peer answers, waits: the peers to which it would
// go on may all be dead.
void ProbeRouter::on(Env& env, PeerId from, const Probe& probe) {
  const Visit visit{subject_of(probe.task), probe.step.value, probe.master, from};
  if (!parts_.walks.is_new(visit, env.now())) return;
  const std::uint64_t hops = parts_.walks.hops(probe.step);
  const bool large = parts_.worker.large_enough(probe.needs);
  const bool waits =
      from != env.self() && hops < options_.max_hops && !parts_.worker.takes(probe.needs);
  const bool taken = parts_.group_service.refuses(probe.master);
  const bool leaves = parts_.worker.sends_on(probe.task) || !large || waits || taken;
  if (leaves && pass_on(env, from, probe)) return;
  if (!large || taken) return;  // the master will probe again
  if (hops > 0) env.note(ProbeSettled{probe.task, probe.master, hops});
  parts_.worker.deposit(env, probe);
}

// A peer that is too small or serves a leader passes the query on.
void ProbeRouter::on(Env& env, PeerId from, const Query& query) {
  const Visit visit{query.sampling, query.step.value, query.master, from};
  if (!parts_.walks.is_new(visit, env.now())) return;
  if (parts_.worker.large_enough(query.needs) && !parts_.group_service.refuses(query.master)) {
    Load load = parts_.worker.load(env, query.sampling);
    load.walk = parts_.walks.number(query.step);
    env.send(query.master, load);
  } else {
    pass_on(env, from, query);
  }
}

void ProbeRouter::on(Env& env, PeerId from, const Place& message) {
  if (parts_.worker.large_enough(resources_of(message.task)) &&
      !parts_.group_service.refuses(from)) {
    parts_.worker.place(env, from, message.task);
  } else {
    env.send(from, Unknown{{message.task.id}, {}});  // to be placed elsewhere
  }
}

}  // namespace rhizome::agents::sparrow
