// How groups change to fit a job: split and merge (Peterson, section 2.3). A merge is a lease in
// two phases. Only idle groups lend, so no leader waits for a leader that itself waits. Of two
// leaders that ask for a group, the one with the lower address gets it.
#include <algorithm>

#include "agents/air_traffic/leader.hpp"

namespace rhizome::agents::traffic {

// The group keeps `keep` slots. If at least two workers are left over, one of them leads the rest.
void Leader::split(Env& env, std::uint32_t keep) {
  std::vector<Member> rest;
  std::uint32_t kept = size();
  for (auto item = workers_.rbegin(); item != workers_.rend(); ++item) {
    const auto& [id, worker] = *item;
    if (id == env.self() || !worker.present || !worker.running.empty()) continue;
    if (kept <= keep || kept - worker.slots < keep) break;
    kept -= worker.slots;
    rest.push_back({id, worker.slots});
  }
  if (rest.size() < 2) return;
  const PeerId leader = rest.back().id;
  rest.pop_back();
  workers_.erase(leader);
  for (const Member& member : rest) workers_.erase(member.id);
  const std::uint64_t epoch = ++epoch_;
  send_away(env, leader, {leader, epoch, rest, {}});
  for (const Member& member : rest) send_away(env, member.id, {leader, epoch, {}, {}});
  partner_ = leader;
  edges_.link(env, leader);
}

// A worker that was told to lead, and has not got that order yet, answers that it follows this
// leader; the edge to it stays.
void Leader::on(Env& env, PeerId from, const Unlinked& message) {
  if (message.instead != env.self() || !moves_.contains(from)) edges_.on(env, from, message);
}

// Asks the partner first, then the neighbours by address.
void Leader::seek_workers(Env& env) {
  merge_candidates_.clear();
  if (edges_.contains(partner_)) merge_candidates_.push_back(partner_);
  for (const PeerId edge : edges_.list())
    if (edge != partner_) merge_candidates_.push_back(edge);
  ask_to_merge(env);
}

// While a job runs in rounds, its leader goes on asking: a neighbour may have become idle.
void Leader::seek_more_workers(Env& env) {
  const bool rounds = phase_ == Phase::running && size() < batch_.unfinished();
  if (options_.reorganise && rounds && merge_asked_ == core::no_peer) seek_workers(env);
}

// Four messages cross the network: MergeAsk, Withdraw, Withdrawn, MergeGrant.
Duration Leader::merge_wait() const { return options_.merge_patience + 4 * world_.longest_way(); }

// Asks one candidate after the other; then the job runs with the present group, in rounds if need
// be.
void Leader::ask_to_merge(Env& env) {
  merge_asked_ = core::no_peer;
  while (size() < batch_.unfinished() && !merge_candidates_.empty()) {
    const PeerId next = merge_candidates_.front();
    merge_candidates_.pop_front();
    if (!edges_.contains(next)) continue;
    merge_asked_ = next;
    env.send(next, MergeAsk{});
    env.cancel(merge_timer_);
    merge_timer_ = env.after(merge_wait(), MergeDue{next, ticket_});
    return;
  }
  phase_ = Phase::running;
  assign(env);
  finish_if_done(env);
}

void Leader::on(Env& env, const MergeDue& due) {
  if (due.asked == merge_asked_ && due.ticket == ticket_ && busy()) ask_to_merge(env);
}

// A job may be on its way, so this leader lends its group only once the queue has agreed that none
// is.
void Leader::on(Env& env, PeerId from, const MergeAsk&) {
  if (phase_ == Phase::asking && options_.reorganise) {
    phase_ = Phase::withdrawing;
    suitor_ = from;
    lent_since_ = env.now();
    env.send(queue_, Withdraw{ticket_});
  } else if (phase_ == Phase::withdrawing && from < suitor_) {
    env.send(suitor_, MergeRefuse{});
    suitor_ = from;
  } else if (phase_ == Phase::lent && from == suitor_) {
    grant(env);
  } else if (from != suitor_) {
    env.send(from, MergeRefuse{});
  }
}

void Leader::on(Env& env, PeerId from, const Withdrawn& message) {
  if (from == queue_ && phase_ == Phase::withdrawing && message.ticket == ticket_) grant(env);
}

void Leader::grant(Env& env) {
  phase_ = Phase::lent;
  lent_since_ = env.now();
  env.send(suitor_, MergeGrant{own_slots_, epoch_, members(env), edges_.list()});
}

// A lease without a commit ends, and the group asks for work again.
void Leader::end_lease(Env& env) {
  const bool leased = phase_ == Phase::withdrawing || phase_ == Phase::lent;
  if (!leased || env.now() - lent_since_ <= merge_wait()) return;
  if (phase_ == Phase::withdrawing) env.send(suitor_, MergeRefuse{});
  take(env);
}

void Leader::on(Env& env, PeerId from, const MergeRefuse&) {
  if (merge_asked_ == from && busy()) ask_to_merge(env);
}

// A grant that comes too late does no harm: the lease will end. Some of the granted members may
// follow this leader already.
void Leader::on(Env& env, PeerId from, const MergeGrant& message) {
  if (merge_asked_ != from || !busy()) return;
  epoch_ = std::max(epoch_, message.epoch) + 1;
  env.send(from, MergeCommit{epoch_});
  workers_.try_emplace(from, WorkerState{.slots = message.slots, .last_heard = env.now()});
  for (const Member& member : message.members)
    if (member.id != env.self())
      workers_.try_emplace(member.id, WorkerState{.slots = member.slots, .last_heard = env.now()});
  for (const PeerId edge : message.edges) edges_.introduce(env, edge);
  edges_.unlink(env, from);
  if (partner_ == from) partner_ = core::no_peer;
  ask_to_merge(env);
}

void Leader::on(Env& env, PeerId from, const MergeCommit& message) {
  if (phase_ != Phase::lent || suitor_ != from) return;
  for (const Member& member : members(env))
    env.send(member.id, Follow{from, message.epoch}, core::Cause::merge);
  edges_.hand_over(env, from);
  cancel_timers(env);
  absorbed_by_ = from;
  epoch_ = message.epoch;
}

}  // namespace rhizome::agents::traffic
