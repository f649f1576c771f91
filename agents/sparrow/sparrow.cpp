#include "agents/sparrow/sparrow.hpp"

#include <algorithm>
#include <map>

namespace rhizome::agents {

using core::PeerId;
using overlay::Liveness;

Sparrow::Sparrow(PeerId self, std::shared_ptr<const sparrow::Shared> shared, const World& world,
                 const sparrow::Overlays& overlays, std::shared_ptr<overlay::Advert> board)
    : shared_(std::move(shared)),
      options_(shared_->options),
      world_(world),
      detector_(overlays.detector),
      board_(std::move(board)),
      credible_(self, world),
      walks_(options_, world.longest_delay),
      worker_(options_, world.capacities[self.value], world.seed, overlays.detector),
      reporter_(options_, world),
      lifeline_(options_, world.source),
      compass_(options_, world, overlays),
      master_(self, options_, {worker_, compass_, reporter_, walks_, overlays.detector}) {
  *board_ = worker_.advert();
  if (self == world.source)
    ledger_ = std::make_unique<sparrow::Ledger>(options_, world_, shared_->ring, overlays.detector);
}

void Sparrow::start(Env& env) {
  if (ledger_) {
    ledger_->start(env);
  } else {
    lifeline_.start(env);
  }
}

void Sparrow::on(Env& env, const Submitted& job) {
  if (over_) return;
  if (ledger_) ledger_->enter(env, {env.self(), job.job, job.tasks});
  master_.submit(env, job.tasks);
  settle(env);
}

void Sparrow::on(Env& env, const Announced& job) {
  if (ledger_ && !over_) ledger_->enter(env, job);
}

void Sparrow::on(Env& env, const Drained&) {
  if (ledger_) ledger_->end(env);
  settle(env);
}

// What binds a task, a placeholder or a choice to its sender, or to the master that it names.
template <class M>
bool Sparrow::welcome(PeerId from, const M& message) const {
  using Binds = core::OneOf<sparrow::Deposited, sparrow::Ready, sparrow::Assign, sparrow::Load,
                            sparrow::Place>;
  using Walks = core::OneOf<sparrow::Probe, sparrow::Query>;
  if constexpr (core::one_of<M, Binds>) return !detector_.thinks_dead(from);
  if constexpr (core::one_of<M, Walks>) return !detector_.thinks_dead(message.master);
  return true;
}

template <core::one_of<Sparrow::Messages> M>
void Sparrow::on(Env& env, PeerId from, const M& message) {
  if (!welcome(from, message)) return;
  if (from == world_.source) lifeline_.heard(env.now());
  if constexpr (core::one_of<M, sparrow::Ledger::Messages>) {
    if (ledger_) ledger_->on(env, from, message);
  } else if constexpr (core::one_of<M, sparrow::Worker::Messages>) {
    if (!over_) worker_.on(env, from, message);
  } else if constexpr (core::one_of<M, sparrow::Master::Messages>) {
    if (!over_) master_.on(env, from, message);
  } else if constexpr (core::one_of<M, sparrow::Reporter::Messages>) {
    reporter_.on(env, from, message);
  } else if constexpr (core::one_of<M, sparrow::Lifeline::Messages>) {
    lifeline_.on(env, from, message);
  } else {
    take(env, from, message);
  }
  settle(env);
}

template <core::one_of<Sparrow::Timers> T>
void Sparrow::on(Env& env, const T& due) {
  if constexpr (core::one_of<T, sparrow::Ledger::Timers>) {
    ledger_->on(env, due);
  } else if constexpr (core::one_of<T, sparrow::Worker::Timers>) {
    worker_.on(env, due);
  } else if constexpr (core::one_of<T, sparrow::Master::Timers>) {
    master_.on(env, due);
  } else if constexpr (core::one_of<T, sparrow::Reporter::Timers>) {
    reporter_.on(env, due);
  } else {
    lifeline_.on(env, due);
  }
  settle(env);
}

template <class Walk>
bool Sparrow::pass_on(Env& env, PeerId from, const Walk& walk) {
  if (!walks_.may_go_on(walk.step)) return false;
  const PeerId next = compass_.next(env, from);
  if (next == core::nobody) return false;
  Walk passed = walk;
  ++passed.step.value;
  env.send(next, passed);
  return true;
}

// A probe goes on while it had better not stay: where a placeholder for its task stands already,
// where the peer is too small, and, with propagation, where it would wait. One that its master sent
// to itself, for want of others who answer, waits: those it would go on to may all be dead.
void Sparrow::take(Env& env, PeerId from, const sparrow::Probe& probe) {
  const sparrow::Visit visit{subject_of(probe.task), probe.step.value, probe.master, from};
  if (over_ || !walks_.is_new(visit, env.now())) return;
  const std::uint64_t hops = walks_.hops(probe.step);
  const bool large = worker_.large_enough(probe.needs);
  const bool waits = from != env.self() && hops < options_.max_hops && !worker_.takes(probe.needs);
  const bool leaves = worker_.stands_for(probe.task) || !large || waits;
  if (leaves && pass_on(env, from, probe)) return;
  if (!large) return;  // the master will probe again
  if (hops > 0) env.note(sparrow::ProbeSettled{probe.task, probe.master, hops});
  worker_.deposit(env, probe);
}

// Whoever is too small lets others answer.
void Sparrow::take(Env& env, PeerId from, const sparrow::Query& query) {
  const sparrow::Visit visit{query.sampling, query.step.value, query.master, from};
  if (over_ || !walks_.is_new(visit, env.now())) return;
  if (worker_.large_enough(query.needs)) {
    env.send(query.master, worker_.load(query.sampling, env.now()));
  } else {
    pass_on(env, from, query);
  }
}

void Sparrow::take(Env& env, PeerId from, const sparrow::Place& message) {
  if (over_) return;
  if (worker_.large_enough(resources_of(message.task))) {
    worker_.place(env, from, message.task);
  } else {
    env.send(from, sparrow::Unknown{{message.task.id}, {}});  // to be placed elsewhere
  }
}

// Together what is of one job, as it was submitted first.
void Sparrow::take(Env& env, PeerId from, const sparrow::Adopt& message) {
  sparrow::Adopted adopted;
  std::map<std::uint32_t, std::vector<Task>> fresh;
  for (const Task& task : message.tasks) {
    adopted.tasks.push_back(task.id);
    if (!master_.knows(task.id)) fresh[task.id.job].push_back(task);
  }
  env.send(from, adopted);
  if (over_) return;
  for (const auto& [job, tasks] : fresh) {
    env.raise(Inherited{tasks});
    master_.submit(env, tasks);
  }
}

// What is bound already runs twice.
void Sparrow::take(Env& env, PeerId, const sparrow::Disown& message) {
  for (const TaskId task : message.tasks) master_.disown(env, task);
}

// Both sides of this peer forget whoever is dead; a restarted peer has forgotten us.
void Sparrow::on(Env& env, const Liveness& news) {
  const bool gone = news.kind == Liveness::Kind::dead || news.restarted;
  if (ledger_ && news.kind == Liveness::Kind::alive) {
    ledger_->greet(env, news.peer);
    ledger_->disown(env, news.peer);
  }
  if (!gone) return;
  if (ledger_) ledger_->bury(env, news.peer);
  if (!over_) {
    worker_.bury(env, news.peer);
    master_.bury(env, news.peer);
  }
  settle(env);
}

void Sparrow::on(Env& env, const overlay::Round&) {
  if (ledger_) ledger_->remind(env);
}

void Sparrow::on(Env& env, const core::WorkDone& done) {
  worker_.on(env, done);
  settle(env);
}

// What is said about this peer follows what it is.
void Sparrow::settle(Env& env) {
  *board_ = worker_.advert();
  if ((ledger_ && ledger_->closed()) || lifeline_.gave_up()) rest(env);
}

void Sparrow::take(Env& env, PeerId from, const sparrow::Over&) {
  env.send(from, sparrow::OverToo{});
  rest(env);
}

void Sparrow::rest(Env& env) {
  if (std::exchange(over_, true)) return;
  worker_.stop(env);
  master_.stop(env);
  reporter_.stop(env);
  lifeline_.stop(env);
  env.finish();
}

// Here, where every handler is at hand.
void host_sparrow(core::Peer& peer, std::shared_ptr<const sparrow::Shared> shared,
                  const World& world, const sparrow::Overlays& overlays,
                  std::shared_ptr<overlay::Advert> board) {
  peer.add<Sparrow>(peer.id(), std::move(shared), world, overlays, std::move(board));
}

}  // namespace rhizome::agents
