#include "agents/air_traffic/air_traffic.hpp"

#include <algorithm>

namespace rhizome::agents {

using core::PeerId;
using traffic::Command;
using traffic::Group;

AirTraffic::AirTraffic(PeerId self, const traffic::Options& options, const World& world)
    : options_(options),
      world_(world),
      queue_address_(world.source),
      worker_(options_, world.capacities[self.value]) {}

// In its first life a peer has the place of the layout; later it has to look for one.
void AirTraffic::start(Env& env) {
  // Out of step, as peers are that start by themselves.
  tick_ = env.after(core::Duration(env.rng().between(0, options_.heartbeat().count())),
                    traffic::TickDue{});
  last_ticket_ = std::uint64_t{env.incarnation().value} << 32U;
  queue_heard_ = env.now();
  if (env.self() == world_.source) {
    become_queue(env, true);
    return;
  }
  if (env.incarnation().value > 0) {
    worker_.tick(env, queue_address_);
    return;
  }
  const auto layout = traffic::make_layout(options_, world_);
  const Group* group = traffic::group_of(layout, env.self());
  if (group == nullptr) return;  // the standby
  worker_.follow(env, group->leader, 1, "layout");
  if (group->leader == env.self()) become_leader(env, {1, group->members, group->edges});
}

void AirTraffic::become_queue(Env& env, bool announce) {
  queue_address_ = env.self();
  queue_.emplace(options_, world_, mirrored_);
  for (const Job& job : world_.workload.jobs) {
    if (job.arrival > env.now()) {
      timers_.push_back(env.after(job.arrival - env.now(), traffic::JobDue{job.id}));
    } else {
      queue_->arrive(env, job, announce);
    }
  }
}

void AirTraffic::become_leader(Env& env, const Command& command) {
  worker_.follow(env, env.self(), command.epoch, "leads");
  leader_.emplace(options_, queue_address_, last_ticket_, worker_.slots());
  leader_->begin(env, command);
}

void AirTraffic::on(Env& env, const traffic::JobDue& due) {
  if (queue_) queue_->arrive(env, world_.workload.jobs[due.job], true);
}

void AirTraffic::on(Env& env, const traffic::MergeDue& due) {
  if (leader_) leader_->merge_due(env, due);
  change_roles(env);
}

void AirTraffic::on(Env& env, const traffic::TickDue&) {
  tick_ = env.after(options_.heartbeat(), traffic::TickDue{});
  const PeerId standby = traffic::standby_of(options_, world_);
  if (queue_) {
    queue_->tick(env);
    if (standby != core::nobody && standby != env.self()) env.send(standby, traffic::Mirror{});
  } else if (leader_) {
    leader_->tick(env);
  } else if (env.self() == standby && env.incarnation().value == 0) {
    succeed_queue(env);
  } else if (const auto inheritance = worker_.claim(env)) {
    become_leader(env, {inheritance->epoch, inheritance->members, inheritance->edges});
    for (const traffic::Member& member : inheritance->members)
      env.send(member.id, traffic::Follow{env.self(), inheritance->epoch}, core::Cause::election);
    for (const PeerId edge : inheritance->edges)
      env.send(edge, traffic::Linked{}, core::Cause::election);
  } else {
    worker_.tick(env, queue_address_);
  }
  change_roles(env);
}

// The standby takes over what it has mirrored; everybody is told, since nobody else knows all.
void AirTraffic::succeed_queue(Env& env) {
  if (env.now() - queue_heard_ <= options_.timeout) return;
  become_queue(env, true);
  queue_->mend();
  for (std::uint32_t i = 0; i < world_.peers(); ++i)
    if (PeerId{i} != env.self()) env.send(PeerId{i}, traffic::Reign{});
}

void AirTraffic::handle(Env& env, PeerId from, const traffic::Mirror& message) {
  if (from == queue_address_) queue_heard_ = env.now();
  mirrored_.insert(message.done.begin(), message.done.end());
}

void AirTraffic::handle(Env& env, PeerId from, const traffic::Reign&) {
  queue_address_ = from;
  if (leader_) leader_->serve(env, from);
}

void AirTraffic::handle(Env& env, PeerId, const traffic::Refer& message) {
  if (leader_ || worker_.leader() != core::nobody) return;
  if (message.leader == env.self()) {
    become_leader(env, {worker_.epoch() + 1, {}, {}});
  } else {
    env.send(message.leader, traffic::Join{worker_.slots()});
  }
}

void AirTraffic::handle(Env& env, PeerId from, const traffic::Lead& message) {
  if (leader_ || message.epoch <= worker_.epoch()) return;
  become_leader(env, {message.epoch, message.members, {from}});
  env.send(from, traffic::Linked{});
}

// A leader obeys nobody: it is absorbed by a merge only.
void AirTraffic::handle(Env& env, PeerId from, const traffic::Follow& message) {
  if (leader_) return;
  worker_.on(env, from, message);
}

// A job for a leader that no longer is one goes back.
void AirTraffic::handle(Env& env, PeerId from, const traffic::Portion& message) {
  if (leader_) {
    leader_->on(env, from, message);
  } else {
    env.send(from, traffic::Return{message.ticket});
  }
}

template <class M>
void AirTraffic::handle(Env& env, PeerId from, const M& message) {
  if constexpr (requires { queue_->on(env, from, message); })
    if (queue_) queue_->on(env, from, message);
  if constexpr (requires { leader_->on(env, from, message); })
    if (leader_) leader_->on(env, from, message);
  if constexpr (requires { worker_.on(env, from, message); })
    if (!queue_ && !(leader_ && std::is_same_v<M, traffic::Roster>)) worker_.on(env, from, message);
}

template <class M>
void AirTraffic::on(Env& env, PeerId from, const M& message) {
  if (ended_) {
    env.send(from, traffic::Terminate{});
    return;
  }
  handle(env, from, message);
  change_roles(env);
}

void AirTraffic::on(Env& env, const core::WorkDone& done) {
  worker_.on(env, done);
  change_roles(env);
}

void AirTraffic::change_roles(Env& env) {
  if (queue_ && queue_->finished()) end(env, env.self());
  if (!leader_) return;
  last_ticket_ = leader_->last_ticket();
  if (leader_->lost_queue()) {
    end(env, env.self());
  } else if (leader_->disbanded()) {
    const std::uint64_t epoch = leader_->epoch();
    leader_.reset();
    worker_.follow(env, core::nobody, epoch, "disbanded");
    worker_.tick(env, queue_address_);
  } else if (leader_->absorbed_by() != core::nobody) {
    const PeerId leader = leader_->absorbed_by();
    const std::uint64_t epoch = leader_->epoch();
    leader_.reset();
    worker_.follow(env, leader, epoch, "merged");
  }
}

void AirTraffic::on(Env& env, PeerId from, const traffic::Terminate&) { end(env, from); }

// Nothing stays armed or running; from now on only answers are given.
void AirTraffic::end(Env& env, PeerId told_by) {
  if (std::exchange(ended_, true)) return;
  std::vector<PeerId> tell;
  if (queue_) {
    tell = queue_->leaders();
    if (const PeerId standby = traffic::standby_of(options_, world_); standby != core::nobody)
      tell.push_back(standby);
  } else if (leader_) {
    tell = leader_->acquaintances();
  }
  for (const PeerId peer : tell)
    if (peer != told_by && peer != env.self()) env.send(peer, traffic::Terminate{});
  worker_.stop(env);
  env.cancel(tick_);
  for (const core::TimerId timer : timers_) env.cancel(timer);
  if (leader_) leader_->cancel_timers(env);
  env.finish();
}

namespace {

void equip(core::Peer& peer, const traffic::Options& options, const World& world) {
  peer.add<AirTraffic>(peer.id(), options, world);
}

// With a standby the queue itself may die.
std::vector<PeerId> essential(const traffic::Options&, const World& world) {
  return {world.source};
}

std::string refusal(const traffic::Options& options, const World& world) {
  const std::uint32_t spare = options.standby ? 2 : 1;
  if (world.peers() < spare + 2) return "there must be a leader and a worker besides the queue";
  if (options.timeout < 4 * world.longest_delay)
    return "timeout must be at least four times the longest delay of the network";
  return {};
}

}  // namespace

Scheduler air_traffic() {
  return make_scheduler<traffic::Options>(
      {.name = "air-traffic",
       .summary = "one job queue; leaders fit their groups of workers to the jobs they take",
       .most_hops = 2,
       .settings = traffic::settings(),
       .equip = equip,
       .essential = essential,
       .patience = traffic::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
