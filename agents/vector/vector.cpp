#include "agents/vector/vector.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "agents/credible.hpp"
#include "agents/pieces.hpp"
#include "agents/schedulers.hpp"
#include "agents/vector/course.hpp"
#include "agents/vector/metrics.hpp"

namespace rhizome::agents {

using namespace vectors;

namespace {

// A neighbour that has not told of itself for so many exchanges is passed over.
constexpr int exchanges_until_missed = 3;

constexpr std::uint32_t most_request_hops = 100;

// An answer may be on its way for long.
Duration patience_of(const Options& options, const World& world) {
  return std::max(options.retry, 4 * world.longest_way());
}

bool plausible(const std::vector<LevelCount>& levels, const Profile& profile) {
  return std::all_of(levels.begin(), levels.end(), [&profile](const LevelCount& each) {
    return each.level < profile.largest_job && each.tasks <= profile.tasks;
  });
}

}  // namespace

VectorPeer::VectorPeer(PeerId self, const Options& options, const World& world,
                       const locator::Locator* locator)
    : self_(self),
      options_(options),
      world_(world),
      neighbours_(world.graph.of(self)),
      planner_(options),
      local_tasks_(world.capacities[self.value], options.history, options.spread_above),
      carrier_(options.recovery, patience_of(options, world)),
      source_lease_(options, world.source, patience_of(options, world)),
      graphs_(options, world, locator),
      benchmark_(options.benchmark) {}

template <core::one_of<Messages> M>
bool VectorPeer::believes(PeerId from, const M& message) const {
  if (!credible(world_, message)) return false;
  if constexpr (from_source<M>) return from == world_.source && !is_source();
  if constexpr (to_source<M>) {
    if (!is_source() || from.value >= world_.peers()) return false;
  } else if constexpr (!from_source<M>) {
    if (!neighbours_.knows(from)) return false;
  }
  if constexpr (std::is_same_v<M, LevelInfo>)
    return graphs_.used() && plausible(message.levels, world_.profile);
  if constexpr (std::is_same_v<M, Request>)
    return message.origin != core::no_peer && message.hops <= most_request_hops;
  return true;
}

// What a former life of the source knew of its tasks is lost, and no other peer knows it.
void VectorPeer::start(Env& env) {
  if (is_source() && env.incarnation() != world_.first_life(self_)) {
    env.note(RunFailed{self_, "the source began anew"});
    end(env);
    return;
  }
  neighbours_.begin(env.incarnation().value);
  asked_ = env.now();
  measure(env);
  const Duration first{env.rng().between(0, options_.tick.count())};
  tick_due_ = env.now() + first;
  ticking_ = env.after(first, TickDue{});
  if (!is_source())
    source_lease_.start(env);
  else if (options_.recovery)
    leasing_ = env.after(options_.report, LeaseDue{});
}

void VectorPeer::on(Env& env, const Submitted& job) {
  if (over_) return;
  if (options_.recovery)
    for (const Task& task : job.tasks) books_.enter(task, self_, env.now());
  const std::vector<Task> alone = graphs_.enter(env, job);
  // The first tasks of a graph go before these, and will be ready within this event.
  if (alone.size() == job.tasks.size())
    add(env, alone);
  else
    keep(alone);
  arrived_ = options_.spread != RedistributionTrigger::never;
}

void VectorPeer::on(Env& env, const Drained&) { end(env); }

// A source at rest tells peers that have missed the end.
template <core::one_of<Messages> M>
void VectorPeer::on(Env& env, PeerId from, const M& message) {
  if (!over_) {
    handle(env, from, message);
  } else if constexpr (std::is_same_v<M, Report>) {
    env.send(from, Over{}, Cause::recovery);
  }
}

template <core::one_of<Timers> T>
void VectorPeer::on(Env& env, const T& due) {
  handle(env, due);
}

void VectorPeer::on(Env& env, const core::WorkDone& done) {
  if (measuring_ == done.id) {
    measuring_.reset();
    benchmark_ = done.took;
    if (!std::exchange(measured_, true)) tell(env);
    return;
  }
  if (planning_ == done.id) {
    planning_.reset();
    return;
  }
  const auto task = local_tasks_.finish(env, done);
  if (!task) return;
  // The peer that receives tasks begins first, if it is here.
  if (graphs_.used()) env.raise(locator::Complete{task->id});
  if (options_.start_at_tick) {
    ended_.push_back(product_of(*task));
    return;
  }
  task_done(env, product_of(*task));
  if (!graphs_.used()) start_tasks(env);
}

void VectorPeer::handle(Env& env, PeerId from, const Info& message) {
  neighbours_.heard(from, message, env.now());
}

// Every peer that it reaches redistributes once (section 5.6).
void VectorPeer::handle(Env& env, PeerId from, const Request& message) {
  std::uint64_t& latest = requests_seen_[message.origin];
  if (message.origin == self_ || message.number <= latest) return;
  latest = message.number;
  neighbours_.asks(message.origin);
  redistribute(env);
  pass_on(env, message, from);
}

void VectorPeer::pass_on(Env& env, const Request& request, PeerId from) {
  if (request.hops <= 1) return;
  for (const PeerId peer : neighbours_.all())
    if (peer != from && peer != request.origin)
      env.send(peer, Request{request.origin, request.number, request.hops - 1});
}

void VectorPeer::handle(Env& env, PeerId from, const Transfer& message) {
  neighbours_.came(from, {message.life, message.number});
  refused_.clear();
  const bool taken = carrier_.receive(env, from, message);
  for (const Task& task : message.tasks)
    if (!local_tasks_.waits(task.id) && !(taken && lacks(task.id)))
      refused_.push_back(subject_of(task.id));
  if (!taken) return;
  add(env, message.tasks);
  if (options_.spread == RedistributionTrigger::arrivals) arrived_ = true;
}

// The files of an arriving task are kept for it until it begins or goes on. A task that was
// refused, and does not wait here already, does neither, so its files are dropped.
void VectorPeer::on(Env& env, const core::CargoCame& came) {
  if (std::erase(refused_, came.cargo.subject) > 0)
    env.raise(files::CargoDropped{came.cargo.subject});
}

bool VectorPeer::lacks(TaskId task) const {
  return !source_lease_.has_done(task) && !local_tasks_.here().contains(task);
}

void VectorPeer::handle(Env& env, PeerId from, const Taken& message) {
  carrier_.on(env, from, message);
}

void VectorPeer::handle(Env& env, PeerId from, const Result& message) {
  complete(env, message.task, from);
}

void VectorPeer::handle(Env& env, PeerId, const Over&) { rest(env); }

// Algorithms 1 and 2.
// Ticks go by when they are due. On threads each comes a little late, which is not to add up, nor
// to decide whether more than ten ticks of a second are more than 10 s.
void VectorPeer::handle(Env& env, const TickDue&) {
  const core::Time due = std::exchange(tick_due_, std::max(tick_due_ + options_.tick, env.now()));
  ticking_ = env.after(tick_due_ - env.now(), TickDue{});
  const std::vector<Product> ended = std::exchange(ended_, {});
  for (const Product& product : ended) task_done(env, product);
  if (ended.empty()) start_tasks(env);
  const bool regular = ++ticks_ % options_.exchange_ticks == 0;
  const bool alone = arrived_ && seen(env.now()).empty();
  if (regular || (arrived_ && !alone && waiting() > options_.spread_above)) {
    tell(env);
    redistribute(env);
  }
  arrived_ = alone;
  ask(env, due);
}

void VectorPeer::handle(Env& env, const BenchmarkDue&) { measure(env); }

void VectorPeer::handle(Env& env, const RepeatDue& due) {
  const auto undelivered = carrier_.on(env, due);
  if (!undelivered) return;
  neighbours_.lost(undelivered->to);
  for (const Task& task : undelivered->tasks)
    env.note(TaskReissued{task.id, undelivered->to, "it was not taken"});
  add(env, undelivered->tasks);
}

PeerMetrics VectorPeer::vitals(core::Time now) const {
  return {.queue = static_cast<std::uint32_t>(local_tasks_.crowd()),
          .left = local_tasks_.left(now),
          .benchmark = benchmark_,
          .history = local_tasks_.history(),
          .memory = local_tasks_.free_memory()};
}

std::vector<NeighbourState> VectorPeer::seen(core::Time now) const {
  const Duration patience = exchanges_until_missed * options_.exchange_ticks * options_.tick;
  return neighbours_.since(options_.recovery ? now - patience : core::Time::min());
}

Duration VectorPeer::here(Duration work) const {
  return core::from_seconds(core::seconds(work) / world_.capacities[self_.value].speed);
}

// First the task of a graph with the most successors waiting for it; other tasks only if no task of
// a graph is ready.
void VectorPeer::start_tasks(Env& env) {
  auto task = graphs_.next();
  for (; task && local_tasks_.fits(*task, env.now()); task = graphs_.next()) {
    graphs_.begin(env, task->id);
    local_tasks_.run(env, *task);
  }
  if (!task) local_tasks_.start(env);
  env.waiting(waiting());
}

void VectorPeer::task_done(Env& env, const Product& product) {
  if (is_source())
    complete(env, product.task, self_);
  else
    source_lease_.done(env, product);
}

// The measurement takes its time beside the tasks, as in the original (section 5.5).
void VectorPeer::measure(Env& env) {
  if (!measuring_) measuring_ = env.work({.duration = here(options_.benchmark)});
  measuring_due_ = env.after(options_.benchmark_interval, BenchmarkDue{});
}

void VectorPeer::tell(Env& env) {
  const PeerMetrics now = vitals(env.now());
  for (const PeerId peer : neighbours_.all()) {
    const Info info = neighbours_.tell(peer, now, env.now());
    if (graphs_.used())
      env.send(peer, graphs_.tell(info));
    else
      env.send(peer, info);
  }
}

// One redistribution at a time: a peer that asks meanwhile is answered by its transfers.
void VectorPeer::redistribute(Env& env) {
  if (planning_) return;
  if (options_.overhead > Duration{0}) planning_ = env.work({.duration = here(options_.overhead)});
  const PeerMetrics self = vitals(env.now());
  const std::vector<NeighbourState> others = seen(env.now());
  for (const TaskId task : graphs_.redistribute(env, planner_, self, others))
    if (options_.recovery) passed_on_.insert(task);
  for (const auto& [peer, tasks] : planner_.moves(self, others, env.now(), env.rng()))
    send(env, peer, tasks);
  env.waiting(waiting());
}

void VectorPeer::send(Env& env, PeerId to, std::uint32_t count) {
  std::vector<Task> tasks = local_tasks_.take(count);
  if (options_.recovery)
    for (const Task& task : tasks) passed_on_.insert(task.id);
  const std::size_t most = options_.bundled ? most_in_message : 1;
  for (std::size_t first = 0; first < tasks.size(); first += most) {
    const auto begin = tasks.begin() + static_cast<std::ptrdiff_t>(first);
    const auto size = static_cast<std::ptrdiff_t>(std::min(most, tasks.size() - first));
    const std::uint64_t number = carrier_.send(env, to, std::vector<Task>(begin, begin + size));
    neighbours_.sent(to, number, static_cast<std::uint32_t>(size));
  }
}

void VectorPeer::ask(Env& env, core::Time due) {
  if (options_.requests == Requests::never || !local_tasks_.idle() || !ended_.empty()) return;
  if (graphs_.waiting() > 0) return;
  const bool late = due >= core::Time{} + options_.requests_until;
  if (options_.requests == Requests::at_first && late) return;
  if (due - asked_ <= options_.request_interval) return;
  asked_ = due;
  const std::uint64_t number = (std::uint64_t{env.incarnation().value} << 32U) + ++requests_;
  for (const PeerId peer : neighbours_.all())
    env.send(peer, Request{self_, number, options_.request_hops});
}

void VectorPeer::keep(const std::vector<Task>& tasks) {
  for (const Task& task : tasks)
    if (!source_lease_.has_done(task.id)) local_tasks_.add(task);
}

void VectorPeer::add(Env& env, const std::vector<Task>& tasks) {
  keep(tasks);
  if (!options_.start_at_tick) start_tasks(env);
  env.waiting(waiting());
}

namespace {

void equip(core::Peer& peer, const Options& options, const World& world) {
  const bool finds = options.locator.kind != locator::Kind::none;
  const auto* locator = finds ? &locator::add_locator(peer, options.locator, world) : nullptr;
  peer.add<VectorPeer>(peer.id(), options, world, locator);
}

Releases releases(const Options& options) {
  return options.locator.kind == locator::Kind::none ? Releases::client : Releases::scheduler;
}

std::vector<PeerId> essential(const Options& options, const World& world) {
  return options.recovery ? std::vector<PeerId>{world.source} : world.all_peers();
}

// A vector that ignores queues leaves peers idle beside long ones (Peterson, section 5.6).
bool weighs_queues(const Options& options) {
  return vectors::Course(options.flow).weighs_against(vectors::find_metric("queue").value());
}

}  // namespace

Scheduler vector_scheduling() {
  return make_scheduler<Options>(
      {.name = "vector",
       .summary = "peers divide their queues among their neighbours, by a vector that weighs what "
                  "they know of each",
       .at_least_once = true,
       .serves = true,
       .in_time =
           {5, "since tasks spread from neighbour to neighbour, while the vector weighs queues"},
       .settings = vectors::settings(),
       .times = vectors::times(),
       .equip = equip,
       .essential = essential,
       .keeps_time = weighs_queues,
       .refusal = vectors::refusal,
       .releases = releases});
}

}  // namespace rhizome::agents
