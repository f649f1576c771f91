#include "agents/dispatcher/dispatcher.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "agents/client.hpp"
#include "agents/credible.hpp"
#include "agents/schedulers.hpp"

namespace rhizome::agents::dispatching {

namespace {

Fleet fleet_of(const Options& options, const World& world) {
  std::vector<PeerId> peers = dispatchers_of(options, world);
  std::sort(peers.begin(), peers.end());
  return Fleet(peers);
}

}  // namespace

Dealer::Dealer(PeerId self, const Options& options, const World& world)
    : fleet_(fleet_of(options, world)),
      own_(*fleet_.place(self)),
      assigned_tasks_(Level::deal, options, world, fleet_) {
  for (const PeerId peer : world.late)
    if (const auto dispatcher = fleet_.place(peer)) fleet_.hold_for(*dispatcher, false);
}

std::size_t Dealer::dispatcher_of(std::uint32_t job) const {
  const std::size_t first = job % fleet_.size();
  for (std::size_t i = 0; i < fleet_.size(); ++i) {
    const std::size_t next = (first + i) % fleet_.size();
    if (fleet_.alive(next)) return next;
  }
  return own_;
}

void Dealer::submit(Env& env, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) assigned_tasks_.give(env, dispatcher_of(task.id.job), task);
}

void Dealer::on(Env& env, PeerId from, const Done& message) {
  if (const auto dispatcher = fleet_.place(from)) assigned_tasks_.heard(*dispatcher);
  if (assigned_tasks_.done(env, from, message))
    env.raise(Finished{message.product, message.executor});
}

void Dealer::on(Env& env, PeerId from, const Missing& message) {
  const auto dispatcher = fleet_.place(from);
  if (!dispatcher) return;
  assigned_tasks_.heard(*dispatcher);
  submit(env, assigned_tasks_.missing(env, *dispatcher, message));
}

void Dealer::on(Env& env, const AskDue&) { submit(env, assigned_tasks_.ask(env).tasks); }

}  // namespace rhizome::agents::dispatching

namespace rhizome::agents {

using namespace dispatching;

namespace {

bool contains(const std::vector<PeerId>& peers, PeerId peer) {
  return std::find(peers.begin(), peers.end(), peer) != peers.end();
}

// Whether a message type belongs to one of the two hand-overs.
template <class M>
constexpr bool has_level = core::one_of<M, core::OneOf<Assign, Done, Noted, Ask, Missing>>;
template <class M>
constexpr bool to_taker = core::one_of<M, core::OneOf<Assign, Noted, Ask>>;

}  // namespace

Dispatcher::Dispatcher(PeerId self, const Options& options, const World& world)
    : self_(self), options_(options), world_(world), source_lease_(self, options, world) {
  const bool dispatches = contains(dispatchers_of(options, world), self);
  if (self == world.source && options.dispatchers > 1) dealer_.emplace(self, options, world);
  if (dispatches) queue_of_tasks_.emplace(self, options, world);
  if (options.servers == Servers::all || !dispatches) station_.emplace(self, options, world);
}

template <core::one_of<Messages> M>
bool Dispatcher::believes(PeerId from, const M& message) const {
  if (!credible(world_, from, message)) return false;
  if constexpr (has_level<M>) {
    const bool deal = message.level == Level::deal;
    if (to_taker<M> ? (deal ? !queue_of_tasks_ : !station_) : (deal ? !dealer_ : !queue_of_tasks_))
      return false;
    if (to_taker<M> && deal && from != world_.source) return false;
  }
  if constexpr (std::is_same_v<M, Done>) return message.executor != core::no_peer;
  if constexpr (std::is_same_v<M, Standing>)
    return queue_of_tasks_ && message.tasks <= world_.profile.tasks;
  if constexpr (std::is_same_v<M, Free>) return queue_of_tasks_.has_value();
  if constexpr (std::is_same_v<M, Query> || std::is_same_v<M, Threshold>)
    return station_.has_value();
  if constexpr (std::is_same_v<M, Over> || std::is_same_v<M, Welcome>)
    return from == world_.source && self_ != from;
  if constexpr (std::is_same_v<M, OverToo>) return self_ == world_.source;
  return true;
}

void Dispatcher::start(Env& env) {
  source_lease_.start(env);
  if (source_lease_.gave_up()) {
    fail(env);
    return;
  }
  if (dealer_) dealer_->start(env);
  if (queue_of_tasks_) queue_of_tasks_->start(env);
  if (station_) station_->start(env);
}

void Dispatcher::on(Env& env, const Submitted& job) {
  if (stopped_) return;
  if (dealer_)
    dealer_->submit(env, job.tasks);
  else
    queue_of_tasks_->submit(env, job.tasks);
}

void Dispatcher::on(Env& env, const Drained&) {
  if (stopped_) return;
  stop(env);
  source_lease_.end(env);
}

// A peer that is done with the run answers only questions about its end.
template <core::one_of<Messages> M>
void Dispatcher::on(Env& env, PeerId from, const M& message) {
  if (from == world_.source) source_lease_.heard(env.now());
  if constexpr (std::is_same_v<M, Over> || std::is_same_v<M, OverToo>) {
    source_lease_.on(env, from, message);
    if (source_lease_.over()) stop(env);
  } else if (!stopped_) {
    hand(env, from, message);
  } else if (self_ == world_.source && !std::is_same_v<M, Welcome>) {
    if (std::is_same_v<M, Hello> || std::is_same_v<M, Done>) source_lease_.answer(env, from);
  }
}

void Dispatcher::hand(Env& env, PeerId from, const Hello& message) {
  if (self_ == world_.source) source_lease_.answer(env, from);
  if (queue_of_tasks_ && message.begins) queue_of_tasks_->on(env, from, message);
}

template <class M>
void Dispatcher::hand(Env& env, PeerId from, const M& message) {
  if constexpr (std::is_same_v<M, Welcome>) {
    source_lease_.welcomed();
  } else if constexpr (to_taker<M>) {
    if (message.level == Level::deal)
      queue_of_tasks_->on(env, from, message);
    else
      station_->on(env, from, message);
  } else if constexpr (has_level<M>) {
    if (message.level == Level::deal)
      dealer_->on(env, from, message);
    else
      queue_of_tasks_->on(env, from, message);
  } else if constexpr (std::is_same_v<M, Query> || std::is_same_v<M, Threshold>) {
    station_->on(env, from, message);
  } else {
    queue_of_tasks_->on(env, from, message);
  }
}

template <core::one_of<Timers> T>
void Dispatcher::on(Env& env, const T& due) {
  if constexpr (std::is_same_v<T, HelloDue> || std::is_same_v<T, OverDue>) {
    source_lease_.on(env, due);
    if (source_lease_.gave_up()) fail(env);
  } else if constexpr (std::is_same_v<T, AskDue>) {
    if (due.level == Level::deal)
      dealer_->on(env, due);
    else
      queue_of_tasks_->on(env, due);
  } else if constexpr (std::is_same_v<T, ResultDue>) {
    if (due.level == Level::deal)
      queue_of_tasks_->on(env, due);
    else
      station_->on(env, due);
  } else if constexpr (std::is_same_v<T, BelowDue> || std::is_same_v<T, DivideDue>) {
    station_->on(env, due);
  } else {
    queue_of_tasks_->on(env, due);
  }
}

void Dispatcher::on(Env& env, const core::WorkDone& done) {
  if (station_) station_->on(env, done);
}

void Dispatcher::stop(Env& env) {
  if (std::exchange(stopped_, true)) return;
  if (dealer_) dealer_->stop(env);
  if (queue_of_tasks_) queue_of_tasks_->stop(env);
  if (station_) station_->stop(env);
}

void Dispatcher::fail(Env& env) {
  stop(env);
  env.finish();
}

namespace {

void equip(core::Peer& peer, const Options& options, const World& world) {
  peer.add<Dispatcher>(peer.id(), options, world);
}

}  // namespace

Scheduler dispatcher() {
  return make_scheduler<Options>(
      {.name = "dispatcher",
       .summary = "one peer or a few send each task to a server, by the state that servers report",
       .most_hops = 2,
       .serves = true,
       .in_time = {0, "since some policies send tasks to servers that are busy"},
       .settings = dispatching::settings(),
       .times = dispatching::times(),
       .equip = equip,
       .refusal = dispatching::refusal});
}

}  // namespace rhizome::agents
