#include "agents/air_traffic/air_traffic.hpp"

#include <memory>
#include <type_traits>
#include <utility>

#include "agents/client.hpp"
#include "agents/routing.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents {

using traffic::GroupLayout;
using traffic::LeaderAppointment;

AirTraffic::AirTraffic(PeerId self, const traffic::Options& options, const World& world,
                       GroupLayout place)
    : options_(options),
      world_(world),
      place_(std::move(place)),
      queue_death_vote_(options_, world.source, world.peers() - 2),
      worker_(options_, world.source, world.capacities[self.value], queue_death_vote_),
      signpost_(options_, world.source, worker_) {}

// In its first life a peer takes its place in the layout; in a later life it has to look for one.
void AirTraffic::start(Env& env) {
  last_ticket_ = std::uint64_t{env.incarnation().value} << 32U;
  queue_death_vote_.alive(env.now());
  if (env.self() == world_.source && env.incarnation() != world_.first_life(env.self())) {
    fail(env, "the queue died, and with it what was done");
    return;
  }
  // A random first tick keeps peers out of step, like peers that start independently.
  tick_ = env.after(core::Duration(env.rng().between(0, options_.heartbeat().count())),
                    traffic::TickDue{});
  if (env.self() == world_.source) {
    queue_.emplace(options_, world_);
  } else if (env.incarnation().value > 0) {
    worker_.tick(env);
  } else {
    const GroupLayout place = std::exchange(place_, {});
    worker_.follow(env, place.leader, 1, "layout");
    if (place.leader == env.self())
      become_leader(env,
                    {.epoch = 1, .members = place.members, .edges = place.edges, .present = true});
  }
}

void AirTraffic::become_leader(Env& env, LeaderAppointment command) {
  worker_.follow(env, env.self(), command.epoch, "leads");
  command.last_ticket = last_ticket_;
  leader_.emplace(options_, world_, worker_.slots());
  leader_->begin(env, command);
}

template <core::one_of<AirTraffic::Hears> S>
void AirTraffic::on(Env& env, const S& signal) {
  const auto hand = [&](auto& part) { part.on(env, signal); };
  auto farewell =
      itself<core::OneOf<Drained>>([this](Env& e, const Drained&) { end(e, e.self()); });
  tell(signal, hand, queue_ && !ended_ ? &*queue_ : nullptr, &farewell);
  tell_waiting(env);
}

template <core::one_of<traffic::Timers> T>
void AirTraffic::on(Env& env, const T& due) {
  const auto hand = [&](auto& part) { part.on(env, due); };
  auto ticks = itself<core::OneOf<traffic::TickDue>>([this](Env& e, auto&) { tick(e); });
  route(due, hand, leader_ ? &*leader_ : nullptr, &worker_, &ticks);
  change_roles(env);
  tell_waiting(env);
}

void AirTraffic::tick(Env& env) {
  slow_ = false;
  tick_ = env.after(options_.heartbeat(), traffic::TickDue{});
  tick_role(env);
  change_roles(env);
  if (!queue_) doubt(env);
}

void AirTraffic::arm(Env& env, core::Duration wait) {
  env.cancel(tick_);
  tick_ = env.after(wait, traffic::TickDue{});
}

// A resting worker answers each sign of life of its leader. Once the next sign is overdue, the
// worker ticks at every heartbeat again, because it may have missed the end of the run.
void AirTraffic::doze(Env& env) {
  worker_.report(env);
  slow_ = true;
  arm(env, options_.slow_heartbeat() + options_.heartbeat());
}

// A worker that no longer rests shows that it lives within one heartbeat.
void AirTraffic::rouse(Env& env) {
  if (!slow_ || ended_ || rests()) return;
  slow_ = false;
  arm(env, options_.heartbeat());
}

void AirTraffic::tick_role(Env& env) {
  if (queue_) {
    queue_->tick(env);
  } else if (leader_) {
    if (leader_->works_itself(env.self())) worker_.report(env);
    leader_->tick(env, queue_death_vote_.silence(env.now()));
  } else if (const auto inheritance = worker_.claim(env)) {
    succeed(env, *inheritance);
  } else {
    worker_.tick(env);
  }
}

void AirTraffic::succeed(Env& env, const traffic::Worker::Inheritance& inheritance) {
  become_leader(env, {.epoch = inheritance.epoch,
                      .members = inheritance.members,
                      .edges = inheritance.edges,
                      .bereaved = true});
  for (const traffic::Member& member : inheritance.members)
    env.send(member.id, traffic::Follow{env.self(), inheritance.epoch}, core::Cause::election);
  for (const PeerId edge : inheritance.edges)
    env.send(edge, traffic::Linked{}, core::Cause::election);
}

void AirTraffic::called(Env& env, PeerId from, const traffic::Refer& message) {
  if (from != world_.source || worker_.leader() != core::no_peer) return;
  if (message.leader == env.self()) {
    become_leader(env, {.epoch = worker_.epoch() + 1, .bereaved = true});
  } else {
    worker_.report_to(env, message.leader, worker_.epoch() + 1, "join");
  }
}

void AirTraffic::called(Env& env, PeerId from, const traffic::Lead& message) {
  if (message.epoch <= worker_.epoch()) return;
  become_leader(env, {.epoch = message.epoch, .members = message.members, .edges = {from}});
  env.send(from, traffic::Linked{});
}

template <core::one_of<AirTraffic::Messages> M>
void AirTraffic::on(Env& env, PeerId from, const M& message) {
  const auto hand = [&](auto& part) { part.on(env, from, message); };
  auto end = itself<Ends>([this](auto&... event) { told_of_the_end(event...); });
  auto life = itself<Without<Messages, Ends>>([this](auto&... event) { to_living(event...); });
  route(message, hand, &end, &life);
  tell_waiting(env);
}

template <class M>
void AirTraffic::to_living(Env& env, PeerId from, const M& message) {
  if (failed_ && from == world_.source) {
    come_back(env);
  } else if (ended_) {
    env.send(from, traffic::Terminate{failed_});
    return;
  }
  if (from == world_.source) queue_death_vote_.alive(env.now());
  to_role(env, from, message);
  if constexpr (std::is_same_v<M, traffic::Steady>)
    if (from == worker_.leader() && rests()) doze(env);
  change_roles(env);
}

// A leader obeys no other peer, but may work for its own group.
template <class M>
void AirTraffic::to_role(Env& env, PeerId from, const M& message) {
  const auto hand = [&](auto& part) { part.on(env, from, message); };
  auto calls = itself<Calls>([this](auto&... event) { called(event...); });
  static_assert(takers<M, traffic::Queue, traffic::Leader, traffic::Worker, traffic::Signpost,
                       traffic::QueueDeathVote, decltype(calls)> != 0,
                "no role lists this message");
  if (queue_) {
    offer(message, hand, &queue_death_vote_, &*queue_);
  } else if (leader_) {
    offer(message, hand, &queue_death_vote_, &*leader_, from == env.self() ? &worker_ : nullptr);
  } else {
    offer(message, hand, &queue_death_vote_, &worker_, &signpost_, &calls);
  }
}

void AirTraffic::on(Env& env, const core::WorkDone& done) {
  worker_.on(env, done);
  change_roles(env);
  tell_waiting(env);
}

// Tells how many tasks wait here: none after the end of the run, because no task begins then.
void AirTraffic::tell_waiting(Env& env) const {
  std::size_t tasks = worker_.waiting();
  if (queue_) tasks += queue_->waiting();
  if (leader_) tasks += leader_->waiting();
  env.waiting(ended_ ? 0 : tasks);
}

void AirTraffic::change_roles(Env& env) {
  if (queue_ && !ended_ && queue_->deserted(env)) fail(env, "no worker is left");
  rouse(env);
  if (!leader_) return;
  last_ticket_ = leader_->last_ticket();
  const std::uint64_t epoch = leader_->epoch();
  const PeerId absorbed_by = leader_->absorbed_by();
  if (absorbed_by != core::no_peer) {
    leader_.reset();
    worker_.report_to(env, absorbed_by, epoch, "merged");
  } else if (leader_->disbanded()) {
    leader_.reset();
    worker_.follow(env, core::no_peer, epoch, "disbanded");
    worker_.tick(env);
  }
}

// A resting worker leaves the doubt to its leader, which wakes the group once it has not heard the
// queue.
void AirTraffic::doubt(Env& env) {
  if (ended_ || rests() || !queue_death_vote_.doubts(env.now())) return;
  for (std::uint32_t i = 0; i < world_.peers(); ++i)
    if (PeerId{i} != env.self() && PeerId{i} != world_.source)
      env.send(PeerId{i}, traffic::Doubt{});
  if (queue_death_vote_.over(env.now())) fail(env, "the queue is dead");
}

void AirTraffic::fail(Env& env, std::string_view reason) {
  env.note(RunFailed{world_.source, std::string(reason)});
  failed_ = env.self() != world_.source;  // a failure that the queue declares holds for all peers
  end(env, env.self());
}

// The queue that this peer gave up lives: the peer looks for a group again.
void AirTraffic::come_back(Env& env) {
  ended_ = failed_ = false;
  env.resume();
  leader_.reset();
  worker_.follow(env, core::no_peer, worker_.epoch(), "the queue lives");
  tick_ = env.after(core::Duration::zero(), traffic::TickDue{});
}

// The queue ignores a Terminate. Another peer that still hears the queue ignores a Terminate that
// calls the queue dead, unless the queue itself sent it.
void AirTraffic::told_of_the_end(Env& env, PeerId from, const traffic::Terminate& message) {
  const bool doubts = queue_death_vote_.doubts(env.now());
  if (queue_ || ended_ || (message.failed && from != world_.source && !doubts)) return;
  if (message.failed)
    fail(env, "the queue is dead");
  else
    end(env, from);
}

std::vector<PeerId> AirTraffic::to_be_told() const {
  if (queue_) return queue_->leaders();
  if (leader_) return leader_->acquaintances();
  return {};
}

// Leaves no timer armed and no task running; from now on this peer only answers messages.
void AirTraffic::end(Env& env, PeerId told_by) {
  if (std::exchange(ended_, true)) return;
  for (const PeerId peer : to_be_told())
    if (peer != told_by && peer != env.self()) env.send(peer, traffic::Terminate{failed_});
  worker_.stop(env);
  env.cancel(tick_);
  if (leader_) leader_->cancel_timers(env);
  failed_ ? env.rest() : env.finish();
}

namespace {

Deployment prepare(const traffic::Options& options, const World& world,
                   const std::function<bool()>&) {
  const auto places = std::make_shared<const traffic::Places>(options, world);
  const Entries doors = enter_at(world.source);
  return {.equip =
              [=, &options, &world](core::Peer& peer) {
                peer.add<AirTraffic>(peer.id(), options, world, places->of(peer.id()));
                if (doors.kept_by(peer.id())) peer.add<Client>(world.first_life(peer.id()));
              },
          .entries = doors};
}

// Two peers cannot tell a dead queue from one behind a cut, so the queue has no standby: two queues
// at once would count work twice.
std::vector<PeerId> essential(const traffic::Options&, const World& world) {
  return {world.source};
}

std::string refusal(const traffic::Options& options, const World& world) {
  if (world.peers() < 3) return "there must be a leader and a worker besides the queue";
  if (options.timeout < 4 * world.longest_delay)
    return "timeout must be at least four times the longest delay of the network";
  if (options.give_up.count() > 0 && options.give_up < options.timeout)
    return "give_up must be 0 or at least a time-out";
  return {};
}

}  // namespace

Scheduler air_traffic() {
  return make_scheduler<traffic::Options>(
      {.name = "air-traffic",
       .summary = "one job queue; leaders fit their groups of workers to the jobs they take",
       .most_hops = 2,
       .serves = true,
       .in_time =
           {0,
            "since a leader has one job at a time, so that a job of few tasks leaves most of "
            "a large group idle"},
       .settings = traffic::settings(),
       .times = {{"rest", TimeoutPurpose::rest}},
       .prepare = prepare,
       .essential = essential,
       .patience = traffic::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
