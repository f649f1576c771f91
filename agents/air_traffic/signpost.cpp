#include "agents/air_traffic/signpost.hpp"

namespace rhizome::agents::traffic {

// A peer that takes this former leader for its leader learns which leader this one follows now,
// once an order to follow another leader must have come.
void Signpost::on(Env& env, PeerId from, const WorkerAlive& message) {
  if (worker_.has_led() && env.now() - worker_.stood_down() <= options_.round_trip()) return;
  if (worker_.leader() == core::nobody || worker_.leader() == from ||
      message.epoch >= worker_.epoch())
    return;
  env.send(from, Follow{worker_.leader(), worker_.epoch()}, core::Cause::recovery);
}

// After a restart this peer knows no edges of its former life, and no leader took them over.
void Signpost::on(Env& env, PeerId from, const Linked&) {
  const bool forgot = env.incarnation().value > 0 && !worker_.has_led();
  env.send(from, Unlinked{forgot ? core::nobody : worker_.leader()});
}

void Signpost::on(Env& env, PeerId from, const MergeAsk&) { env.send(from, MergeRefuse{}); }

void Signpost::on(Env& env, PeerId from, const Portion& message) {
  if (from == queue_) env.send(from, Return{message.ticket});
}

void Signpost::on(Env& env, PeerId, const Done& message) {
  env.send(queue_, message, core::Cause::recovery);
}

}  // namespace rhizome::agents::traffic
