// How groups change: split, merge, and the graph of leaders, which stays connected because whoever
// goes hands its neighbours on.
#include <algorithm>

#include "agents/air_traffic/air_traffic.hpp"
#include "agents/air_traffic/leader.hpp"

namespace rhizome::agents::traffic {

void Leader::link(Env& env, PeerId leader) {
  edge_heard_[leader] = env.now();
  if (leader == env.self() || !edges_.insert(leader).second) return;
  env.note({.name = facts::leaders_linked, .other = leader, .value = 1});
}

void Leader::unlink(Env& env, PeerId leader) {
  edge_heard_.erase(leader);
  if (edges_.erase(leader) == 0) return;
  env.note({.name = facts::leaders_linked, .other = leader, .value = 0});
}

void Leader::on(Env& env, PeerId from, const Linked&) { link(env, from); }

void Leader::on(Env& env, PeerId from, const Unlinked& message) {
  unlink(env, from);
  if (message.instead == core::nobody || message.instead == env.self()) return;
  link(env, message.instead);
  env.send(message.instead, Linked{});
}

void Leader::on(Env& env, PeerId, const Neighbour& message) {
  bereaved_ = false;
  if (edges_.contains(message.leader)) return;
  link(env, message.leader);
  env.send(message.leader, Linked{});
}

// A dead neighbour's successor links itself. There may be none, so the queue is told until it
// answers; and it is told of a leader that came from nowhere.
void Leader::check_edges(Env& env) {
  std::vector<PeerId> dead;
  for (const auto& [edge, heard] : edge_heard_)
    if (env.now() - heard > 2 * options_.timeout) dead.push_back(edge);
  for (const PeerId edge : dead) unlink(env, edge);
  bereaved_ = bereaved_ || !dead.empty() || (from_nowhere_ && edges_.empty());
  if (bereaved_) env.send(queue_, Bereaved{});
  for (const PeerId edge : edges_) env.send(edge, Linked{}, core::Cause::heartbeat);
}

// The group keeps `keep` slots. The others follow one of them, if at least one is left to lead.
void Leader::split(Env& env, std::uint32_t keep) {
  std::vector<Member> rest;
  std::uint32_t kept = size();
  for (auto item = workers_.rbegin(); item != workers_.rend(); ++item) {
    if (kept <= keep || kept - item->second.slots < keep || !item->second.running.empty()) break;
    kept -= item->second.slots;
    rest.push_back({item->first, item->second.slots});
  }
  if (rest.size() < 2) return;
  const PeerId leader = rest.back().id;
  rest.pop_back();
  workers_.erase(leader);
  const std::uint64_t epoch = epoch_ + 1;
  for (const Member& member : rest) {
    workers_.erase(member.id);
    env.send(member.id, Follow{leader, epoch});
  }
  env.send(leader, Lead{epoch, rest});
  partner_ = leader;
  link(env, leader);
}

// The partner first.
void Leader::seek_workers(Env& env) {
  merge_candidates_.clear();
  if (partner_ != core::nobody && edges_.contains(partner_)) merge_candidates_.push_back(partner_);
  for (const PeerId edge : edges_)
    if (edge != partner_) merge_candidates_.push_back(edge);
  ask_to_merge(env);
}

// In rounds, a job goes on asking: a neighbour may have become idle.
void Leader::seek_more_workers(Env& env) {
  const bool rounds = phase_ == Phase::running && size() < unfinished();
  if (options_.reorganise && rounds && merge_asked_ == core::nobody) seek_workers(env);
}

// One candidate after the other; then the job runs with the present group, in rounds if need be.
void Leader::ask_to_merge(Env& env) {
  merge_asked_ = core::nobody;
  while (size() < unfinished() && !merge_candidates_.empty()) {
    merge_asked_ = merge_candidates_.front();
    merge_candidates_.pop_front();
    if (!edges_.contains(merge_asked_)) continue;
    env.send(merge_asked_, MergeAsk{});
    env.cancel(merge_timer_);
    merge_timer_ = env.after(options_.merge_patience, MergeDue{merge_asked_, ticket_});
    if (phase_ == Phase::running) assign(env);
    return;
  }
  merge_asked_ = core::nobody;
  phase_ = Phase::running;
  assign(env);
  finish_if_done(env);
}

void Leader::cancel_timers(Env& env) { env.cancel(merge_timer_); }

void Leader::merge_due(Env& env, const MergeDue& due) {
  if (due.asked == merge_asked_ && due.ticket == ticket_) ask_to_merge(env);
}

// Only the idle merge, so nobody who waits for another is waited for: there is no deadlock.
void Leader::on(Env& env, PeerId from, const MergeAsk&) {
  const bool idle = phase_ == Phase::asking && total_ == 0 && lent_to_ == core::nobody;
  if (!idle || !options_.reorganise) {
    env.send(from, MergeRefuse{});
    return;
  }
  lent_to_ = from;
  lent_since_ = env.now();
  env.send(from, MergeGrant{own_slots_, epoch_, members(), {edges_.begin(), edges_.end()}});
}

void Leader::on(Env& env, PeerId from, const MergeRefuse&) {
  if (merge_asked_ == from) ask_to_merge(env);
}

void Leader::on(Env& env, PeerId from, const MergeGrant& message) {
  if (merge_asked_ != from) return;  // too late: the lease will end
  epoch_ = std::max(epoch_, message.epoch) + 1;
  env.send(from, MergeCommit{epoch_});
  welcome(env, {from, message.slots});
  for (const Member& member : message.members) welcome(env, member);
  unlink(env, from);
  if (partner_ == from) partner_ = core::nobody;
  for (const PeerId edge : message.edges) {
    if (edge == env.self()) continue;
    link(env, edge);
    env.send(edge, Linked{});
  }
  ask_to_merge(env);
}

// Two leaders may both think that a worker is theirs: then it may be running tasks of ours already.
void Leader::welcome(Env& env, const Member& member) {
  const auto [item, fresh] = workers_.try_emplace(member.id);
  item->second.slots = member.slots;
  item->second.last_heard = env.now();
}

void Leader::on(Env& env, PeerId from, const MergeCommit& message) {
  if (lent_to_ != from) return;
  for (const auto& [id, worker] : workers_)
    env.send(id, Follow{from, message.epoch}, core::Cause::merge);
  hand_over_edges(env, from);
  cancel_timers(env);
  absorbed_by_ = from;
  epoch_ = message.epoch;
}

// Every neighbour becomes a neighbour of `to`, so that the graph stays connected.
void Leader::hand_over_edges(Env& env, PeerId to) {
  const std::set<PeerId> edges = edges_;
  for (const PeerId edge : edges) {
    if (edge != to) env.send(edge, Unlinked{to});
    unlink(env, edge);
  }
}

void Leader::disband_if_alone(Env& env) {
  if (!workers_.empty()) last_worker_ = env.now();
  if (edges_.empty() || env.now() - last_worker_ <= options_.timeout) return;
  if (total_ > 0) env.send(queue_, Return{ticket_}, core::Cause::recovery);
  const PeerId heir = *edges_.begin();
  env.send(heir, Unlinked{core::nobody});
  hand_over_edges(env, heir);
  cancel_timers(env);
  disbanded_ = true;
}

// A lease without a commit ends, and the group asks for work again.
void Leader::end_lease(Env& env) {
  if (lent_to_ == core::nobody || env.now() - lent_since_ <= 2 * options_.merge_patience) return;
  lent_to_ = core::nobody;
  if (phase_ == Phase::asking) take(env);
}

}  // namespace rhizome::agents::traffic
