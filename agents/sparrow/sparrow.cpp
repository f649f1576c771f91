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
      worker_(options_, world.capacities[self.value], overlays.detector),
      master_(options_, world.source, worker_, *this, overlays.detector) {
  *board_ = worker_.advert();
  if (self == world.source) ledger_.emplace(options_, world_, ring_, overlays.detector);
}

// Jobs arrive at their master without delay (course report: the data centre is next to everybody).
// A later life has no jobs: those of the former have gone to its successor.
void Sparrow::start(Env& env) {
  if (ledger_) {
    ledger_->start(env);
  } else if (env.incarnation().value > 0) {
    on(env, sparrow::HelloDue{});
    return;
  }
  for (const Job& job : world_.workload.jobs)
    if (sparrow::master_of(ring_, job.id) == env.self())
      jobs_due_[job.id] = env.after(std::max(core::Duration::zero(), job.arrival - env.now()),
                                    sparrow::JobDue{job.id});
}

// Until it is answered.
void Sparrow::on(Env& env, const sparrow::HelloDue&) {
  env.send(world_.source, sparrow::Hello{env.incarnation().value});
  greeting_ = env.after(options_.probe_timeout, sparrow::HelloDue{});
}

void Sparrow::on(Env& env, PeerId, const sparrow::Welcome&) { env.cancel(greeting_); }

void Sparrow::on(Env& env, const sparrow::JobDue& due) {
  master_.submit(env, world_.workload.jobs[due.job].portions);
  settle(env);
}

const std::vector<Descriptor>& Sparrow::links() const {
  const bool similar = overlays_.gradient != nullptr && !overlays_.gradient->view().empty();
  return similar ? overlays_.gradient->view() : overlays_.random.view();
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

// A probe goes on while it had better not stay: where a placeholder for its task stands already,
// where the peer is too small, and, with propagation, where it would wait. Every walk is bounded.
void Sparrow::on(Env& env, PeerId from, const sparrow::Probe& probe) {
  if (over_) return;
  const bool large = worker_.large_enough(probe.needs);
  const bool waits = probe.hops < options_.max_hops && !worker_.could_start(probe.needs);
  const bool leaves = worker_.had(probe.task) || !large || waits;
  if (leaves && probe.hops < options_.hop_limit) {
    if (const Descriptor* next = direction(env, [&](PeerId peer) { return peer == from; })) {
      sparrow::Probe passed = probe;
      ++passed.hops;
      env.send(next->peer, passed);
      return;
    }
  }
  if (!large) return;  // the master will probe again
  env.note({.name = sparrow::probe_settled,
            .subject = subject_of(probe.task),
            .other = probe.master,
            .value = static_cast<double>(probe.hops)});
  worker_.deposit(env, probe);
  settle(env);
}

void Sparrow::on(Env& env, PeerId from, const sparrow::Query& query) {
  env.send(from, sparrow::Load{query.sampling, worker_.advert().utility()});
}

void Sparrow::on(Env& env, PeerId from, const sparrow::Place& message) {
  if (!worker_.large_enough(sparrow::requisites_of(message.task))) {
    env.send(from, sparrow::Unknown{{message.task.id}, {}});  // to be placed elsewhere
  } else if (!over_) {
    worker_.place(env, from, message.task);
  }
  settle(env);
}

void Sparrow::on(Env& env, PeerId from, const sparrow::Adopt& message) {
  env.send(from, sparrow::Adopted{message.tasks});
  for (const TaskId task : message.tasks) {
    const Job& job = world_.workload.jobs[task.job];
    if (job.arrival > env.now()) {
      const auto [due, fresh] = jobs_due_.try_emplace(job.id);
      if (!fresh) env.cancel(due->second);
      due->second = env.after(job.arrival - env.now(), sparrow::JobDue{job.id});
    } else if (!over_) {
      master_.submit(env, {job.portions[task.portion]});
    }
  }
  settle(env);
}

// Jobs that have not come yet will come elsewhere; what is bound already runs twice.
void Sparrow::on(Env& env, PeerId, const sparrow::Disown& message) {
  for (const TaskId task : message.tasks) {
    if (const auto due = jobs_due_.find(task.job); due != jobs_due_.end()) env.cancel(due->second);
    master_.disown(env, task);
  }
  settle(env);
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

template <class M>
void Sparrow::on(Env& env, PeerId from, const M& message) {
  if constexpr (requires { ledger_->on(env, from, message); }) {
    if (ledger_) ledger_->on(env, from, message);
  } else if constexpr (requires { worker_.on(env, from, message); }) {
    if (!over_) worker_.on(env, from, message);
  } else {
    if (!over_) master_.on(env, from, message);
  }
  settle(env);
}

template <core::one_of<Sparrow::Timers> T>
void Sparrow::on(Env& env, const T& due) {
  if constexpr (requires { ledger_->on(env, due); }) {
    ledger_->on(env, due);
  } else if constexpr (requires { worker_.on(env, due); }) {
    worker_.on(env, due);
  } else {
    master_.on(env, due);
  }
  settle(env);
}

// What is said about this peer follows what it is; and the source rests last.
void Sparrow::settle(Env& env) {
  *board_ = worker_.advert();
  if (ledger_ && ledger_->closed()) rest(env);
}

void Sparrow::on(Env& env, PeerId from, const sparrow::Over&) {
  env.send(from, sparrow::OverToo{});
  rest(env);
}

void Sparrow::rest(Env& env) {
  if (std::exchange(over_, true)) return;
  worker_.stop(env);
  master_.stop(env);
  for (const auto& [job, due] : jobs_due_) env.cancel(due);
  env.cancel(greeting_);
  env.finish();
}

namespace {

overlay::CyclonOptions cyclon_options(const sparrow::Options& options) {
  return {.view = options.view_size,
          .shuffle = options.shuffle_length,
          .period = options.shuffle_period,
          .duplicates = overlay::Duplicates::keep_younger,
          .asks_seeds = true};
}

void equip(core::Peer& peer, const sparrow::Options& options, const World& world) {
  const auto board = std::make_shared<overlay::Advert>();
  auto& detector = peer.add<overlay::FailureDetector>(
      overlay::DetectorOptions{.round = options.detector_round,
                               .rounds_until_dead = options.rounds_until_dead,
                               .helpers = options.helpers});
  const auto& random =
      peer.add<overlay::Cyclon>(cyclon_options(options), world.graph.of(peer.id()), board);
  const overlay::TMan* gradient = nullptr;
  if (options.view == sparrow::View::gradient)
    gradient = &peer.add<overlay::TMan>(
        overlay::TManOptions{.view = options.view_size, .period = options.shuffle_period},
        overlay::Ranking::gradient(), random, board);
  peer.add<Sparrow>(peer.id(), options, world, Sparrow::Overlays{random, gradient, detector},
                    board);
}

std::string refusal(const sparrow::Options& options, const World& world) {
  const sparrow::Options defaults;
  const bool late = options.sampling == sparrow::Sampling::late;
  if (options.probes > options.view_size)
    return "probes cannot be more than view_size: a view has no more peers to probe";
  if (options.sampling == sparrow::Sampling::random && options.probes != defaults.probes)
    return "probes has no effect with sampling = \"random\"";
  if (!late && options.binding != defaults.binding)
    return "binding has an effect only with sampling = \"late\"";
  if (!late && (options.self_assign || options.max_hops > 0))
    return "self_assign and max_hops have an effect only with sampling = \"late\"";
  const bool shuffles = options.shuffle_period.count() > 0;
  if (shuffles && options.shuffle_period < std::chrono::milliseconds(1))
    return "shuffle_period must be 0 or at least 1ms";
  if (shuffles && options.shuffle_length > options.view_size)
    return "shuffle_length cannot be more than view_size";
  if (!shuffles && options.view == sparrow::View::gradient)
    return "the gradient is made by shuffles: shuffle_period cannot be 0";
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
