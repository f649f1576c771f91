#include "agents/sparrow/sparrow.hpp"

#include <algorithm>

#include "overlay/next_hop.hpp"

namespace rhizome::agents {

using core::PeerId;
using overlay::Descriptor;
using overlay::Liveness;

Sparrow::Sparrow(PeerId self, const sparrow::Options& options, const World& world,
                 const Overlays& overlays, std::shared_ptr<overlay::Advert> board)
    : options_(options),
      world_(world),
      ring_(world.peers(), options.virtual_nodes),
      overlays_(overlays),
      board_(std::move(board)),
      credible_(self, world),
      worker_(options_, world.capacities[self.value], overlays.detector),
      reporter_(options_, world.source),
      lifeline_(options_, world.source),
      master_(self, options_, worker_, *this, reporter_, overlays.detector) {
  *board_ = worker_.advert();
  if (self == world.source) ledger_.emplace(options_, world_, ring_, overlays.detector);
}

// Jobs arrive at their master without delay (course report: the data centre is next to everybody).
// A later life has no jobs: those of the former have gone to its successor.
void Sparrow::start(Env& env) {
  if (ledger_) {
    ledger_->start(env);
  } else {
    lifeline_.start(env);
  }
  if (env.incarnation().value > 0) return;
  for (const Job& job : world_.workload.jobs)
    if (sparrow::master_of(ring_, job.id) == env.self())
      jobs_due_[job.id] = env.after(std::max(core::Duration::zero(), job.arrival - env.now()),
                                    sparrow::JobDue{job.id});
}

// What binds a task, a placeholder or a choice to its sender, or to the master that it names.
template <class M>
bool Sparrow::welcome(PeerId from, const M& message) const {
  using Binds = core::OneOf<sparrow::Deposited, sparrow::Ready, sparrow::Assign, sparrow::Load,
                            sparrow::Place>;
  using Walks = core::OneOf<sparrow::Probe, sparrow::Query>;
  if (!credible_(from, message)) return false;
  if constexpr (core::one_of<M, Binds>) return !overlays_.detector.thinks_dead(from);
  if constexpr (core::one_of<M, Walks>) return !overlays_.detector.thinks_dead(message.master);
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
  } else if constexpr (core::one_of<T, sparrow::Lifeline::Timers>) {
    lifeline_.on(env, due);
  } else {
    take(env, due);
  }
  settle(env);
}

void Sparrow::take(Env& env, const sparrow::JobDue& due) {
  jobs_due_.erase(due.job);
  master_.submit(env, world_.workload.jobs[due.job].portions);
}

const std::vector<Descriptor>& Sparrow::links() {
  const std::vector<Descriptor>& random = overlays_.random.view();
  if (overlays_.gradient == nullptr || overlays_.gradient->view().empty()) return random;
  const std::vector<Descriptor>& similar = overlays_.gradient->view();
  if (options_.view == sparrow::View::gradient) return similar;
  both_ = similar;
  both_.insert(both_.end(), random.begin(), random.end());
  both_ = overlay::newest(std::move(both_));
  return both_;
}

template <class Excluded>
const Descriptor* Sparrow::direction(Env& env, Excluded excluded) {
  const Descriptor* link =
      overlay::next_hop(links(), options_.temperature, env.rng(), [&](PeerId peer) {
        return peer == env.self() || overlays_.detector.thinks_dead(peer) || excluded(peer);
      });
  if (link != nullptr)
    env.note({.name = sparrow::advert_used,
              .other = link->peer,
              .value = core::seconds(env.now() - link->taken)});
  return link;
}

std::vector<PeerId> Sparrow::directions(Env& env, std::size_t count) {
  std::vector<PeerId> chosen;
  while (chosen.size() < count) {
    const Descriptor* next = direction(env, [&](PeerId peer) {
      return std::find(chosen.begin(), chosen.end(), peer) != chosen.end();
    });
    if (next == nullptr) break;
    chosen.push_back(next->peer);
  }
  return chosen;
}

// Not back to where it came from. Every walk is bounded.
template <class Walk>
bool Sparrow::pass_on(Env& env, PeerId from, const Walk& walk) {
  if (walk.hops >= options_.hop_limit) return false;
  const Descriptor* next = direction(env, [&](PeerId peer) { return peer == from; });
  if (next == nullptr) return false;
  Walk passed = walk;
  ++passed.hops;
  env.send(next->peer, passed);
  return true;
}

// A probe goes on while it had better not stay: where a placeholder for its task stands already,
// where the peer is too small, and, with propagation, where it would wait.
void Sparrow::take(Env& env, PeerId from, const sparrow::Probe& probe) {
  if (over_) return;
  const bool large = worker_.large_enough(probe.needs);
  const bool waits = probe.hops < options_.max_hops && !worker_.takes(probe.needs);
  const bool leaves = worker_.stands_for(probe.task) || !large || waits;
  if (leaves && pass_on(env, from, probe)) return;
  if (!large) return;  // the master will probe again
  env.note({.name = sparrow::probe_settled,
            .subject = subject_of(probe.task),
            .other = probe.master,
            .value = static_cast<double>(probe.hops)});
  worker_.deposit(env, probe);
}

// Whoever is too small lets others answer.
void Sparrow::take(Env& env, PeerId from, const sparrow::Query& query) {
  if (over_) return;
  if (worker_.large_enough(query.needs)) {
    env.send(query.master, worker_.load(query.sampling));
  } else {
    pass_on(env, from, query);
  }
}

void Sparrow::take(Env& env, PeerId from, const sparrow::Place& message) {
  if (over_) return;
  if (worker_.large_enough(sparrow::requisites_of(message.task))) {
    worker_.place(env, from, message.task);
  } else {
    env.send(from, sparrow::Unknown{{message.task.id}, {}});  // to be placed elsewhere
  }
}

// Together what is of one job, as it was submitted first.
void Sparrow::take(Env& env, PeerId from, const sparrow::Adopt& message) {
  env.send(from, sparrow::Adopted{message.tasks});
  if (over_) return;
  std::map<std::uint32_t, std::vector<Task>> open;
  for (const TaskId task : message.tasks)
    open[task.job].push_back(world_.workload.jobs[task.job].portions[task.portion]);
  for (const auto& [job, tasks] : open) {
    const core::Time arrival = world_.workload.jobs[job].arrival;
    if (arrival <= env.now()) {
      master_.submit(env, tasks);
    } else if (!jobs_due_.contains(job)) {
      jobs_due_[job] = env.after(arrival - env.now(), sparrow::JobDue{job});
    }
  }
}

// Jobs that have not come yet will come elsewhere; what is bound already runs twice.
void Sparrow::take(Env& env, PeerId, const sparrow::Disown& message) {
  for (const TaskId task : message.tasks) {
    if (const auto due = jobs_due_.find(task.job); due != jobs_due_.end()) {
      env.cancel(due->second);
      jobs_due_.erase(due);
    }
    master_.disown(env, task);
  }
}

// Both sides of this peer forget whoever is dead; a restarted peer has forgotten us.
void Sparrow::on(Env& env, const Liveness& news) {
  const bool gone = news.kind == Liveness::Kind::dead || news.restarted;
  if (ledger_ && news.kind == Liveness::Kind::alive) {
    ledger_->greet(env, news.peer);
    if (!news.restarted) ledger_->disown(env, news.peer);
  }
  if (!gone) return;
  if (ledger_) ledger_->bury(env, news.peer);
  if (!over_) {
    worker_.bury(env, news.peer);
    master_.bury(env, news.peer);
  }
  settle(env);
}

void Sparrow::on(Env& env, const core::WorkDone& done) {
  worker_.on(env, done);
  settle(env);
}

// What is said about this peer follows what it is; and the source rests last.
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
  for (const auto& [job, due] : jobs_due_) env.cancel(due);
  lifeline_.stop(env);
  env.finish();
}

namespace {

overlay::CyclonOptions cyclon_options(const sparrow::Options& options, std::uint32_t peers) {
  return {.view = options.view_size,
          .shuffle = options.shuffle_length,
          .period = options.shuffle_period,
          .duplicates = overlay::Duplicates::keep_younger,
          .asks_seeds = true,
          .peers = peers};
}

void equip(core::Peer& peer, const sparrow::Options& options, const World& world) {
  const auto board = std::make_shared<overlay::Advert>();
  auto& detector = peer.add<overlay::FailureDetector>(
      overlay::DetectorOptions{.round = options.detector_round,
                               .rounds_until_dead = options.rounds_until_dead,
                               .helpers = options.helpers,
                               .peers = world.peers()});
  const auto& random = peer.add<overlay::Cyclon>(cyclon_options(options, world.peers()),
                                                 world.graph.of(peer.id()), board);
  const overlay::TMan* gradient = nullptr;
  if (options.view != sparrow::View::cyclon)
    gradient = &peer.add<overlay::TMan>(
        overlay::TManOptions{
            .view = options.view_size,
            .period = options.shuffle_period,
            .forget_after = overlay::forget_after(options.shuffle_period, world.longest_delay),
            .peers = world.peers()},
        overlay::Ranking::gradient(options.uphill), random, board);
  peer.add<Sparrow>(peer.id(), options, world, Sparrow::Overlays{random, gradient, detector},
                    board);
}

// Peers probed for the largest job, of those that there are.
std::size_t largest_sample(const sparrow::Options& options, const World& world) {
  std::size_t most = options.min_probes;
  for (const Job& job : world.workload.jobs)
    most = std::max<std::size_t>(most, options.probes * job.portions.size());
  return std::min<std::size_t>(most, world.peers() - 1);
}

std::string refusal(const sparrow::Options& options, const World& world) {
  const sparrow::Options defaults;
  const bool late = options.sampling == sparrow::Sampling::late;
  if (options.probes > options.view_size)
    return "probes cannot be more than view_size: a view has no more peers to probe";
  if (options.sampling == sparrow::Sampling::random && options.probes != defaults.probes)
    return "probes has no effect with sampling = \"random\"";
  if (!late && (options.self_assign || options.max_hops > 0))
    return "self_assign and max_hops have an effect only with sampling = \"late\"";
  if (!late &&
      (options.binding != defaults.binding || options.start != defaults.start ||
       options.probing != defaults.probing || options.cancellation != defaults.cancellation))
    return "binding, start, probing and cancellation have an effect only with sampling = \"late\"";
  if (options.stays != defaults.stays && options.max_hops == 0)
    return "stays has an effect only with max_hops above 0";
  const bool for_jobs = options.sampling == sparrow::Sampling::batch ||
                        (late && options.probing == sparrow::Probing::per_job);
  if (!for_jobs && options.min_probes > 0)
    return "min_probes has an effect only with sampling = \"batch\" or probing = \"per-job\"";
  if (for_jobs && largest_sample(options, world) > options.view_size)
    return "a job of this workload needs more probes than view_size: a view has no more peers";
  const bool shuffles = options.shuffle_period.count() > 0;
  if (shuffles && options.shuffle_period < std::chrono::milliseconds(1))
    return "shuffle_period must be 0 or at least 1ms";
  if (shuffles && options.shuffle_length > options.view_size)
    return "shuffle_length cannot be more than view_size";
  if (options.view == sparrow::View::cyclon && options.uphill != defaults.uphill)
    return "uphill has an effect only with view = \"gradient\" or \"both\"";
  if (!shuffles && options.view != sparrow::View::cyclon)
    return "the gradient is made by shuffles: shuffle_period cannot be 0";
  if (options.give_up < 2 * options.audit_after || options.give_up < 20 * options.probe_timeout)
    return "give_up must be at least twice audit_after and twenty times probe_timeout";
  if (options.max_hops > options.hop_limit) return "max_hops cannot be more than hop_limit";
  if (options.detector_round < 4 * world.longest_delay)
    return "detector_round must be at least four times the longest delay of the network";
  for (const Job& job : world.workload.jobs)
    for (const Task& task : job.portions) {
      const bool fits = std::any_of(
          world.capacities.begin(), world.capacities.end(), [&](const Capacity& capacity) {
            return task.cpus <= capacity.slots && task.memory <= capacity.memory;
          });
      if (!fits)
        return "task " + std::to_string(task.id.job) + "." + std::to_string(task.id.portion) +
               " fits no peer";
    }
  return {};
}

}  // namespace

Scheduler sparrow_family() {
  return make_scheduler<sparrow::Options>(
      {.name = "sparrow",
       .summary = "masters probe a few peers for each task, which binds to the first that is ready",
       .at_least_once = true,
       .hears_goodbyes = true,
       .settings = sparrow::settings(),
       .equip = equip,
       .refusal = refusal});
}

}  // namespace rhizome::agents
