// How an agent moves in its tree: promotion, eviction, recovery. What keeps it a tree: one move at
// a time, granted only while nobody between the host and the root is moving, and committed on
// acceptance only. Of two moves that would close a cycle together, each would have to pass the
// other's mover.
#include <algorithm>
#include <utility>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/organic_grid/tree_node.hpp"

namespace rhizome::agents::grid {

void TreeNode::offer_best(Env& env) {
  results_since_offer_ = 0;
  if (!home_.options.promotion || roll_ || !up_.attached() || moving_) return;
  const Child* best = children_.best();
  if (best == nullptr) return;
  if (home_.options.only_faster && Children::metric(*best) >= pace_) return;
  env.send(up_.parent, Offer{root_, best->id});
}

// The one sent away works for us until it has found a place.
void TreeNode::evict_surplus(Env& env) {
  const auto slowest = children_.surplus();
  if (!slowest) return;
  env.send(*slowest, Evict{root_, children_.others(*slowest)});
  departures_.keep(*children_.find(*slowest), true, env.now());
  children_.make_former(*slowest, env.now());
}

// The grandchild is expected from now on: it holds a place on trial until it comes or times out.
// Promotion needs no room (Chakravarti et al.): whoever is too much then is evicted.
void TreeNode::on(Env& env, PeerId from, const Offer& message) {
  const PeerId grandchild = message.child;
  if (!home_.exists(grandchild) || children_.find(from) == nullptr || moving_ || !attached())
    return;
  if (grandchild == env.self() || in_chain(grandchild) || children_.find(grandchild) != nullptr ||
      children_.is_former(grandchild, env.now()))
    return;
  children_.add(grandchild, env.now()).after = Child::adoption;
  env.send(from, OfferAccepted{root_, grandchild});
}

void TreeNode::on(Env& env, PeerId from, const OfferAccepted& message) {
  Child* child = children_.find(message.child);
  if (from != up_.parent || child == nullptr || child->epoch == 0) return;
  child->promoted = true;
  env.send(message.child, Move{root_, up_.parent});
}

void TreeNode::on(Env& env, PeerId from, const Move& message) {
  if (from == up_.parent && !moving_) begin_move(env, {message.to}, "promotion");
}

void TreeNode::on(Env& env, PeerId from, const Evict& message) {
  if (from != up_.parent || moving_) return;
  begin_move(env, {message.candidates.begin(), message.candidates.end()}, "eviction");
}

void TreeNode::begin_move(Env& env, std::deque<PeerId> candidates, std::string_view reason) {
  moving_.emplace(std::move(candidates), reason);
  try_next(env);
}

// Whoever finds no place stays, and is told to go once more if it was evicted.
void TreeNode::try_next(Env& env) {
  const auto next = moving_->next([&](PeerId peer) {
    return home_.exists(peer) && peer != env.self() && peer != up_.parent &&
           children_.find(peer) == nullptr;
  });
  if (!next) {
    moving_.reset();
    return;
  }
  const std::uint64_t epoch = home_.next_epoch();
  moving_->ask(*next, epoch, env.now() + home_.options.timeout / 2);
  env.send(*next, Adopt{root_, epoch, !up_.attached() || !alone()}, moving_->cause());
}

bool TreeNode::may_host(PeerId peer, Time now) const {
  return attached() && !moving_ && !in_chain(peer) && !children_.is_former(peer, now) &&
         (children_.has(peer) || children_.room(pool_.size()));
}

// Nobody is below a leaf, so it closes no cycle wherever it goes; and nobody but the root, which
// never moves, is above its children.
void TreeNode::on(Env& env, PeerId from, const Adopt& message) {
  if (from == env.self()) return;
  if (!may_host(from, env.now())) {
    env.send(from, Reject{root_, message.epoch, children_.others(from)});
  } else if (below_root() || !message.climbs) {
    host(env, from, message.epoch);
  } else {
    env.send(from, Wait{root_, message.epoch, static_cast<std::uint32_t>(ancestors_.size())});
    env.send(up_.parent, Climb{root_, from, message.epoch, env.self(), up_.epoch, 0});
  }
}

void TreeNode::on(Env& env, PeerId, const Climb& message) {
  if (!home_.exists(message.host)) return;
  const bool passes = attached() && !moving_ && message.mover != env.self() &&
                      message.host != env.self() && message.steps < home_.peers;
  if (passes && !below_root()) {
    Climb further = message;
    ++further.steps;
    env.send(up_.parent, further);
    return;
  }
  env.send(message.host, Climbed{root_, message.mover, message.epoch, message.host_epoch, passes});
}

// Only if this node has not moved meanwhile.
void TreeNode::on(Env& env, PeerId, const Climbed& message) {
  if (!home_.exists(message.mover) || message.mover == env.self()) return;
  const bool stands = up_.attached() && up_.epoch == message.host_epoch;
  if (message.clear && stands && may_host(message.mover, env.now())) {
    host(env, message.mover, message.epoch);
  } else {
    env.send(message.mover, Reject{root_, message.epoch, {}});
  }
}

// A stay that it has not left yet is settled when it does.
void TreeNode::host(Env& env, PeerId mover, std::uint64_t epoch) {
  const Child* known = children_.find(mover);
  if (known != nullptr && known->epoch > epoch) return;  // late, and of no use any more
  if (known == nullptr || known->epoch != epoch) {
    if (known != nullptr && known->epoch > 0) departures_.keep(*known, true, env.now());
    children_.add(mover, env.now()).epoch = epoch;
  }
  env.send(mover, Accept{root_, epoch, age(env.now()), chain_for_child(env.self())});
}

void TreeNode::on(Env& env, PeerId from, const Wait& message) {
  if (!moving_ || !moving_->asked(from, message.epoch)) return;
  const std::uint32_t steps = std::min(message.steps, home_.peers);
  moving_->wait(env.now() + home_.options.timeout / 2 + steps * home_.options.heartbeat());
}

void TreeNode::on(Env& env, PeerId from, const Accept& message) {
  if (up_.is(from, message.epoch)) return;
  const auto& chain = message.ancestors;
  const bool wanted = moving_ && moving_->asked(from, message.epoch);
  if (!wanted || std::find(chain.begin(), chain.end(), env.self()) != chain.end()) {
    env.send(from, Leave{root_, message.epoch, 0});
    if (wanted) try_next(env);
    return;
  }
  const std::string_view reason = moving_->reason();
  moving_.reset();
  home_.sightings.learn(root_, message.age, env.now());
  learn_ancestors(env, chain);
  attach(env, {.parent = from, .epoch = message.epoch}, reason);
}

// One goes on with the children of whoever refused it: somewhere below there is room.
void TreeNode::on(Env& env, PeerId from, const Reject& message) {
  if (!moving_ || !moving_->asked(from, message.epoch)) return;
  if (moving_->reason() != "promotion")
    for (const PeerId child : message.children) moving_->add(child);
  try_next(env);
}

// It has moved with its subtree, so its results will come another way. What it never received goes
// back to where it came from.
void TreeNode::on(Env& env, PeerId from, const Leave& message) {
  std::uint64_t received = 0;
  if (const Child* child = children_.find(from);
      child != nullptr && child->epoch == message.epoch) {
    const Child gone = *child;
    children_.remove(from);
    if (gone.promoted) children_.make_former(from, env.now());
    departures_.keep(gone, true, env.now());
  }
  if (Departures::Account* account = departures_.find(from, message.epoch)) {
    if (std::exchange(account->open, false)) close(account->child, message.received);
    account->since = env.now();
    received = account->child.results.next();
  }
  env.send(from, Settled{root_, message.epoch, received});
}

void TreeNode::close(const Child& child, std::uint64_t received) {
  Outbox<Task> under_way = child.supplies;
  under_way.acknowledge(received);
  for (auto task = under_way.items().rbegin(); task != under_way.items().rend(); ++task) {
    books_.cancel(task->id);
    if (!roll_ || !roll_->done(task->id)) pool_.push_front(*task);
  }
  if (roll_) {
    books_.disown({child.id, child.epoch});
  } else {
    books_.forget({child.id, child.epoch});
  }
}

void TreeNode::on(Env&, PeerId from, const Settled& message) {
  hold(farewells_.settle(from, message.epoch, message.acknowledged));
}

// Until it is answered a Leave is repeated; who does not answer for long is dead.
void TreeNode::tend_farewells(Env& env) {
  hold(farewells_.expire(env.now(), home_.options.timeout));
  for (const auto& [stay, since] : farewells_.list())
    if (env.now() - since > home_.options.heartbeat())
      env.send(stay.parent, Leave{root_, stay.epoch, stay.supplies.next()}, core::Cause::recovery);
}

// A new stay begins with nothing asked for and nothing sent; the old one is settled apart.
void TreeNode::attach(Env& env, Uplink stay, std::string_view reason) {
  const PeerId former = up_.parent;
  leave(env);
  up_ = std::move(stay);
  up_.last_heard = up_.last_sent = env.now();
  env.note(ParentChanged{root_, up_.parent, former, std::string(reason)});
}

void TreeNode::leave(Env& env) {
  if (!up_.attached()) return;
  env.send(up_.parent, Leave{root_, up_.epoch, up_.supplies.next()});
  farewells_.add(std::exchange(up_, {}), env.now());
}

void TreeNode::orphan(Env& env, std::string_view reason) {
  moving_.reset();
  const PeerId old = up_.parent;
  leave(env);
  if (old != core::nobody) env.note(ParentChanged{root_, core::nobody, old, std::string(reason)});
  seek_parent(env);
}

// The ancestors from the nearest above the lost parent on, then the neighbours; and since an end
// is worse than a detour, the root and anybody.
void TreeNode::seek_parent(Env& env) {
  std::deque<PeerId> candidates;
  for (std::size_t i = 1; i < ancestors_.size() && i <= home_.options.ancestors; ++i)
    candidates.push_back(ancestors_[i]);
  candidates.insert(candidates.end(), home_.neighbours.begin(), home_.neighbours.end());
  candidates.push_back(root_);
  candidates.push_back(PeerId{static_cast<std::uint32_t>(env.rng().below(home_.peers))});
  begin_move(env, std::move(candidates), "recovery");
}

}  // namespace rhizome::agents::grid
