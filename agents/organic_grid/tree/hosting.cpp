#include "agents/organic_grid/tree/hosting.hpp"

namespace rhizome::agents::grid {

bool Hosting::has_surplus() const {
  return !parts_.stock.empty() && stands() && parts_.down.children().room(parts_.stock.size());
}

bool Hosting::asked(Env& env, PeerId from, std::uint64_t epoch) {
  if (parts_.down.asks_late(env, from, epoch)) return true;
  if (!has_surplus() || parts_.down.children().is_former(from, env.now()) || lineage_.has(from))
    return false;
  parts_.down.take_on(env, from, epoch);
  return true;
}

// The grandchild is expected from now on: it holds a place on trial until it comes or times out.
// Promotion needs no room (Chakravarti et al.): the surplus child is evicted then.
void Hosting::on(Env& env, PeerId from, const Offer& message) {
  const PeerId grandchild = message.child;
  Children& children = parts_.down.children();
  if (!home_.exists(grandchild) || !children.has(from) || !stands()) return;
  if (grandchild == env.self() || lineage_.has(grandchild) || children.has(grandchild) ||
      children.is_former(grandchild, env.now()))
    return;
  children.add(grandchild, env.now()).after = Child::adoption;
  env.send(from, OfferAccepted{lineage_.root(), grandchild});
}

bool Hosting::may_host(PeerId peer, Time now) const {
  const Children& children = parts_.down.children();
  return stands() && !lineage_.has(peer) && !children.is_former(peer, now) &&
         (children.has(peer) || children.room(parts_.stock.size()));
}

// A leaf has no descendants, so it closes no cycle wherever it moves; the root never moves, and is
// the only ancestor of its children.
void Hosting::on(Env& env, PeerId from, const Adopt& message) {
  if (from == env.self()) return;
  const PeerId root = lineage_.root();
  if (!may_host(from, env.now())) {
    env.send(from, Reject{root, message.epoch, parts_.down.children().others(from)});
  } else if (parts_.up.below_root() || !message.climbs) {
    parts_.down.admit(env, from, message.epoch);
  } else {
    const auto steps = static_cast<std::uint32_t>(lineage_.ancestors().size());
    env.send(from, Wait{root, message.epoch, steps});
    env.send(parts_.up.parent(),
             Climb{root, from, message.epoch, env.self(), parts_.up.epoch(), 0});
  }
}

void Hosting::on(Env& env, PeerId, const Climb& message) {
  if (!home_.exists(message.host)) return;
  const bool passes = stands() && message.mover != env.self() && message.host != env.self() &&
                      message.steps < home_.peers;
  if (passes && !parts_.up.below_root()) {
    Climb further = message;
    ++further.steps;
    env.send(parts_.up.parent(), further);
    return;
  }
  env.send(message.host,
           Climbed{lineage_.root(), message.mover, message.epoch, message.host_epoch, passes});
}

// Admits the mover only if this node has not moved meanwhile.
void Hosting::on(Env& env, PeerId, const Climbed& message) {
  if (!home_.exists(message.mover) || message.mover == env.self()) return;
  const bool here = parts_.up.attached() && parts_.up.epoch() == message.host_epoch;
  if (message.clear && here && may_host(message.mover, env.now())) {
    parts_.down.admit(env, message.mover, message.epoch);
  } else {
    env.send(message.mover, Reject{lineage_.root(), message.epoch, {}});
  }
}

}  // namespace rhizome::agents::grid
