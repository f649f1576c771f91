// How an agent moves in its tree: promotion, eviction, recovery. The rule that keeps it a tree: one
// move at a time, refused where the mover is an ancestor, and committed on acceptance only.
#include <algorithm>
#include <utility>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/organic_grid/tree_node.hpp"

namespace rhizome::agents::grid {

void TreeNode::offer_best(Env& env) {
  results_since_offer_ = 0;
  if (!options_.promotion || source_ || parent_ == core::nobody || moving_) return;
  if (const auto best = children_.best()) env.send(parent_, Offer{root_, *best});
}

void TreeNode::evict_surplus(Env& env) {
  const auto slowest = children_.surplus();
  if (!slowest) return;
  env.send(*slowest, Evict{root_, children_.others(*slowest)});
  children_.make_former(*slowest);
}

// The grandchild is expected from now on: it holds a place on trial until it comes or times out.
void TreeNode::on(Env& env, PeerId from, const Offer& message) {
  const PeerId grandchild = message.child;
  if (children_.find(from) == nullptr || moving_ || !attached()) return;
  if (grandchild == env.self() || in_chain(grandchild) || children_.find(grandchild) != nullptr ||
      children_.is_former(grandchild) || !children_.room(pool_.size()))
    return;
  children_.add(grandchild, env.now());
  env.send(from, OfferAccepted{root_, grandchild});
}

void TreeNode::on(Env& env, PeerId from, const OfferAccepted& message) {
  if (from == parent_ && children_.find(message.child) != nullptr)
    env.send(message.child, Move{root_, parent_});
}

void TreeNode::on(Env& env, PeerId from, const Move& message) {
  if (from == parent_ && !moving_) begin_move(env, {message.to}, "promotion");
}

void TreeNode::on(Env& env, PeerId from, const Evict& message) {
  if (from != parent_ || moving_) return;
  begin_move(env, {message.candidates.begin(), message.candidates.end()}, "eviction");
}

void TreeNode::begin_move(Env& env, std::deque<PeerId> candidates, std::string_view reason) {
  moving_ = Moving{.candidates = std::move(candidates), .since = env.now(), .reason = reason};
  try_next(env);
}

void TreeNode::try_next(Env& env) {
  constexpr std::size_t most = 32;  // tries in one move
  while (!moving_->candidates.empty() && moving_->tried.size() < most) {
    const PeerId next = moving_->candidates.front();
    moving_->candidates.pop_front();
    if (next == env.self() || next == parent_ || !moving_->tried.insert(next).second) continue;
    if (children_.find(next) != nullptr) continue;
    moving_->asked = next;
    moving_->since = env.now();
    env.send(next, Adopt{root_, epoch_ + 1},
             moving_->reason == "promotion"  ? core::Cause::promotion
             : moving_->reason == "eviction" ? core::Cause::eviction
                                             : core::Cause::recovery);
    return;
  }
  const bool evicted = moving_->reason == "eviction";
  moving_.reset();
  if (evicted) orphan(env, "eviction");
}

void TreeNode::on(Env& env, PeerId from, const Adopt& message) {
  Child* known = children_.find(from);
  const bool fits = known != nullptr || children_.room(pool_.size());
  if (!attached() || moving_ || in_chain(from) || children_.is_former(from) || !fits) {
    env.send(from, Reject{root_, message.epoch, children_.others(from)});
    return;
  }
  Child& child =
      known != nullptr && known->epoch == message.epoch ? *known : children_.add(from, env.now());
  child.epoch = message.epoch;
  child.last_heard = env.now();
  env.send(from, Accept{root_, message.epoch, chain_for_child(env.self())});
}

void TreeNode::on(Env& env, PeerId from, const Accept& message) {
  if (!moving_ || moving_->asked != from || message.epoch != epoch_ + 1) {
    if (from != parent_) env.send(from, Leave{root_});
    return;
  }
  const std::string_view reason = moving_->reason;
  const bool cycle = std::find(message.ancestors.begin(), message.ancestors.end(), env.self()) !=
                     message.ancestors.end();
  if (cycle) {
    env.send(from, Leave{root_});
    try_next(env);
    return;
  }
  const PeerId old = parent_;
  moving_.reset();
  attach(env, from, message.ancestors, reason);
  if (old != core::nobody) env.send(old, Leave{root_});
}

// An orphan goes on with the children of whoever refused it: somewhere below there is room.
void TreeNode::on(Env& env, PeerId from, const Reject& message) {
  if (!moving_ || moving_->asked != from) return;
  if (moving_->reason == "recovery")
    for (const PeerId child : message.children) moving_->candidates.push_back(child);
  try_next(env);
}

// It has moved with its subtree, so its results will come another way.
void TreeNode::on(Env& env, PeerId from, const Leave&) {
  const Child* child = children_.find(from);
  if (child == nullptr) return;
  if (child->received > 0)
    env.send(from, AliveToo{root_, child->epoch, child->supplied, child->received, {}},
             core::Cause::departure);
  if (source_) {
    books_.disown(from);
  } else {
    books_.forget(from);
  }
  children_.make_former(from);
}

void TreeNode::on(Env& env, PeerId from, const Stranger&) {
  if (from == parent_) orphan(env, "recovery");
}

// A new epoch: totals begin anew, and what the old parent has not confirmed yet waits in limbo.
void TreeNode::attach(Env& env, PeerId parent, const std::vector<PeerId>& ancestors,
                      std::string_view reason) {
  const double former = parent_ == core::nobody ? -1.0 : static_cast<double>(parent_.value);
  leave_limbo(0);
  limbo_ = {.parent = last_parent_,
            .epoch = epoch_,
            .acknowledged = acknowledged_,
            .since = env.now(),
            .results = std::exchange(unacknowledged_, {})};
  parent_ = last_parent_ = parent;
  learn_ancestors(env, ancestors);
  ++epoch_;
  demanded_ = received_ = announced_ = acknowledged_ = 0;
  last_heard_ = last_sent_ = last_supply_ = env.now();
  orphan_since_ = {};
  env.note({.name = facts::parent_changed,
            .subject = root_.value,
            .other = parent,
            .value = former,
            .reason = reason});
}

void TreeNode::orphan(Env& env, std::string_view reason) {
  if (parent_ != core::nobody) {
    const PeerId old = parent_;
    parent_ = core::nobody;
    orphan_since_ = env.now();
    env.send(old, Leave{root_});
    env.note({.name = facts::parent_changed,
              .subject = root_.value,
              .other = core::nobody,
              .value = static_cast<double>(old.value),
              .reason = reason});
  }
  std::deque<PeerId> candidates;
  for (std::size_t i = 0; i < ancestors_.size() && i <= options_.ancestors; ++i)
    candidates.push_back(ancestors_[i]);
  candidates.push_back(root_);
  candidates.insert(candidates.end(), neighbours_.begin(), neighbours_.end());
  begin_move(env, std::move(candidates), "recovery");
}

void TreeNode::check_parent(Env& env) {
  if (parent_ != core::nobody && env.now() - last_heard_ > options_.timeout) {
    moving_.reset();
    orphan(env, "recovery");
    return;
  }
  if (moving_) {
    if (env.now() - moving_->since > options_.timeout / 2) try_next(env);
    return;
  }
  if (parent_ != core::nobody) return;
  if (env.now() - orphan_since_ > options_.give_up) {
    gave_up_ = true;
  } else {
    orphan(env, "recovery");
  }
}

}  // namespace rhizome::agents::grid
