#include "agents/air_traffic/signpost.hpp"

namespace rhizome::agents::traffic {

// Who takes a former leader for one still learns whom that follows, once the order to follow
// another must have come.
void Signpost::on(Env& env, PeerId from, const WorkerAlive& message) {
  if (worker_.has_led() && env.now() - worker_.stood_down() <= options_.round_trip()) return;
  if (worker_.leader() == core::nobody || worker_.leader() == from ||
      message.epoch >= worker_.epoch())
    return;
  env.send(from, Follow{worker_.leader(), worker_.epoch()}, core::Cause::recovery);
}

// What a leader of a former life was linked with, nobody was handed.
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
