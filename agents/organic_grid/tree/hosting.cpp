#include "agents/organic_grid/tree/hosting.hpp"

namespace rhizome::agents::grid {

bool Hosting::has_surplus() const {
  return !stock_.empty() && stands() && down_.children().room(stock_.size());
}

bool Hosting::asked(Env& env, PeerId from, std::uint64_t epoch) {
  if (down_.asks_late(env, from, epoch)) return true;
  if (!has_surplus() || down_.children().is_former(from, env.now()) || lineage_.has(from))
    return false;
  down_.take_on(env, from, epoch);
  return true;
}

// The grandchild is expected from now on: it holds a place on trial until it comes or times out.
// Promotion needs no room (Chakravarti et al.): the surplus child is evicted then.
void Hosting::on(Env& env, PeerId from, const Offer& message) {
  const PeerId grandchild = message.child;
  Children& children = down_.children();
  if (!home_.exists(grandchild) || !children.has(from) || !stands()) return;
  if (grandchild == env.self() || lineage_.has(grandchild) || children.has(grandchild) ||
      children.is_former(grandchild, env.now()))
    return;
  children.add(grandchild, env.now()).after = Child::adoption;
  env.send(from, OfferAccepted{lineage_.root(), grandchild});
}

bool Hosting::may_host(PeerId peer, Time now) const {
  const Children& children = down_.children();
  return stands() && !lineage_.has(peer) && !children.is_former(peer, now) &&
         (children.has(peer) || children.room(stock_.size()));
}

// A leaf has no descendants, so it closes no cycle wherever it moves; the root never moves, and is
// the only ancestor of its children.
void Hosting::on(Env& env, PeerId from, const Adopt& message) {
  if (from == env.self()) return;
  const PeerId root = lineage_.root();
  if (!may_host(from, env.now())) {
    env.send(from, Reject{root, message.epoch, down_.children().others(from)});
  } else if (up_.below_root() || !message.climbs) {
    down_.admit(env, from, message.epoch);
  } else {
    const auto steps = static_cast<std::uint32_t>(lineage_.ancestors().size());
    env.send(from, Wait{root, message.epoch, steps});
    env.send(up_.parent(), Climb{root, from, message.epoch, env.self(), up_.epoch(), 0});
  }
}

void Hosting::on(Env& env, PeerId, const Climb& message) {
  if (!home_.exists(message.host)) return;
  const bool passes = stands() && message.mover != env.self() && message.host != env.self() &&
                      message.steps < home_.peers;
  if (passes && !up_.below_root()) {
    Climb further = message;
    ++further.steps;
    env.send(up_.parent(), further);
    return;
  }
  env.send(message.host,
           Climbed{lineage_.root(), message.mover, message.epoch, message.host_epoch, passes});
}

// Admits the mover only if this node has not moved meanwhile.
void Hosting::on(Env& env, PeerId, const Climbed& message) {
  if (!home_.exists(message.mover) || message.mover == env.self()) return;
  const bool here = up_.attached() && up_.epoch() == message.host_epoch;
  if (message.clear && here && may_host(message.mover, env.now())) {
    down_.admit(env, message.mover, message.epoch);
  } else {
    env.send(message.mover, Reject{lineage_.root(), message.epoch, {}});
  }
}

}  // namespace rhizome::agents::grid
