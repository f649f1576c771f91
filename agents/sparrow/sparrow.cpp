#include "agents/sparrow/sparrow.hpp"

#include <utility>

#include "agents/routing.hpp"

namespace rhizome::agents {

Sparrow::Sparrow(PeerId self, std::shared_ptr<const sparrow::RunConstants> shared,
                 const World& world, const sparrow::Overlays& overlays)
    : shared_(std::move(shared)),
      options_(shared_->options),
      self_(self),
      world_(world),
      detector_(overlays.detector),
      advertised_(overlays.random),
      walks_(options_, world.longest_way()),
      worker_(options_, world.capacities[self.value], world.seed, overlays.detector),
      group_service_(self, options_, world.capacities[self.value], worker_),
      reporter_(options_, world),
      keep_alive_link_(options_, world.source),
      next_hop_selector_(options_, world, overlays),
      master_(self, options_, {worker_, next_hop_selector_, reporter_, walks_, overlays.detector}),
      takeover_(master_),
      probe_router_(options_, {worker_, group_service_, next_hop_selector_, walks_}) {
  advertise();
  if (self == world.source)
    ledger_ = std::make_unique<sparrow::Ledger>(options_, world_, shared_->ring, overlays.detector);
}

void Sparrow::start(Env& env) {
  if (ledger_) {
    ledger_->start(env);
  } else {
    keep_alive_link_.start(env);
  }
}

// What binds a task, a placeholder or a choice to its sender, or to the master that it names.
template <class M>
bool Sparrow::welcome(PeerId from, const M& message) const {
  using Binds = core::OneOf<sparrow::Deposited, sparrow::Ready, sparrow::Assign, sparrow::Load,
                            sparrow::Place, sparrow::CallUp, sparrow::Enlisted>;
  using Walks = core::OneOf<sparrow::Probe, sparrow::Query>;
  if constexpr (core::one_of<M, Binds>) return !detector_.thinks_dead(from);
  if constexpr (core::one_of<M, Walks>) return !detector_.thinks_dead(message.master);
  return true;
}

template <core::one_of<Sparrow::Messages> M>
void Sparrow::on(Env& env, PeerId from, const M& message) {
  if (!welcome(from, message)) return;
  if (from == world_.source) keep_alive_link_.heard(env.now());
  const auto hand = [&](auto& part) { part.on(env, from, message); };
  route(message, hand, ledger_.get(), awake(worker_), awake(master_), awake(group_service_),
        awake(probe_router_), &takeover_, &reporter_, &keep_alive_link_);
  settle(env);
}

template <core::one_of<Sparrow::Timers> T>
void Sparrow::on(Env& env, const T& due) {
  const auto hand = [&](auto& part) { part.on(env, due); };
  route(due, hand, ledger_.get(), &worker_, &master_, &group_service_, &reporter_,
        &keep_alive_link_);
  settle(env);
}

// A job is entered in the books before its master submits it.
template <core::one_of<Sparrow::Hears> S>
void Sparrow::on(Env& env, const S& signal) {
  const auto hand = [&](auto& part) { part.on(env, signal); };
  tell(signal, hand, ledger_.get(), awake(worker_), awake(group_service_), awake(master_));
  settle(env);
}

void Sparrow::on(Env& env, const core::WorkDone& done) {
  worker_.on(env, done);
  settle(env);
}

// Updates the state that this peer reports about itself. Tasks that wait when it rests will not be
// begun.
void Sparrow::settle(Env& env) {
  if (keep_alive_link_.told_of_the_end()) rest(env);
  advertise();
  if ((ledger_ && ledger_->closed()) || keep_alive_link_.gave_up()) rest(env);
  env.waiting(over_ ? 0 : master_.waiting() + worker_.waiting());
}

void Sparrow::advertise() {
  if (advertised_ != nullptr) advertised_->advertise(worker_.advert());
}

void Sparrow::rest(Env& env) {
  if (std::exchange(over_, true)) return;
  takeover_.rest();
  worker_.stop(env);
  master_.stop(env);
  group_service_.stop(env);
  reporter_.stop(env);
  keep_alive_link_.stop(env);
  env.finish();
}

// Defined in this file, where all handlers are visible.
void host_sparrow(core::Peer& peer, std::shared_ptr<const sparrow::RunConstants> shared,
                  const World& world, const sparrow::Overlays& overlays) {
  peer.add<Sparrow>(peer.id(), std::move(shared), world, overlays);
}

}  // namespace rhizome::agents
