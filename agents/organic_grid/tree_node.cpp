#include "agents/organic_grid/tree_node.hpp"

#include <algorithm>

#include "agents/organic_grid/organic_grid.hpp"

namespace rhizome::agents::grid {

TreeNode::TreeNode(PeerId root, Home& home)
    : root_(root),
      home_(home),
      children_(home.options),
      window_(home.options.burst, home.options.max_window) {}

void TreeNode::join(Env& env, PeerId parent, const Clone& clone) {
  window_.begin(env.now());
  home_.sightings.learn(root_, clone.age, env.now());
  ancestors_ = clone.ancestors;
  attach(env, {.parent = parent, .epoch = home_.next_epoch()}, "join");
}

void TreeNode::dissolve(Env& env) {
  for (const Child& child : children_.list())
    if (child.epoch > 0) env.send(child.id, Stranger{root_, child.epoch});
  env.note(ParentChanged{root_, core::nobody, up_.parent, "departure"});
}

Duration TreeNode::age(Time now) const {
  if (roll_) return Duration::zero();
  return home_.sightings.age(root_, now).value_or(now.time_since_epoch());
}

bool TreeNode::hopeless(Time now) const {
  const auto steps = static_cast<std::int64_t>(std::min<std::size_t>(ancestors_.size(), 1000));
  return age(now) > home_.options.hope() + 2 * home_.options.heartbeat() * steps;
}

std::vector<PeerId> TreeNode::chain_for_child(PeerId self) const {
  std::vector<PeerId> chain{self};
  chain.insert(chain.end(), ancestors_.begin(), ancestors_.end());
  return chain;
}

bool TreeNode::in_chain(PeerId peer) const {
  return std::find(ancestors_.begin(), ancestors_.end(), peer) != ancestors_.end();
}

// The child whose stay that is. One that was sent away is still heard until it has left, and
// reminded; whoever else is a stranger, and told so.
Child* TreeNode::recognise(Env& env, PeerId from, std::uint64_t epoch) {
  if (Child* child = children_.find(from)) {
    if (child->epoch == 0 && epoch > child->after) child->epoch = epoch;
    if (child->epoch == epoch) {
      child->last_heard = env.now();
      return child;
    }
    if (epoch < child->epoch || child->epoch == 0) return nullptr;  // of a stay that has ended
  }
  Departures::Account* account = departures_.find(from, epoch);
  if (account == nullptr) {
    env.send(from, Stranger{root_, epoch});
    return nullptr;
  }
  if (!account->open) return nullptr;
  account->since = env.now();
  if (env.now() - account->reminded > home_.options.heartbeat()) {
    account->reminded = env.now();
    env.send(from, Evict{root_, children_.others(from)}, core::Cause::recovery);
  }
  return &account->child;
}

// Supplies that the child would have confirmed by now are lost. No packet is under way for longer
// than a quarter of the time-out, so whoever speaks after half of it has what came before.
Child* TreeNode::heard(Env& env, PeerId from, const Report& report) {
  Child* child = recognise(env, from, report.epoch);
  if (child == nullptr) return nullptr;
  child->demanded = std::max(child->demanded, report.demanded);
  child->supplies.acknowledge(report.received);
  if (child->supplies.waits_since(env.now() - home_.options.timeout / 2)) {
    const std::uint64_t first = child->supplies.first();
    env.send(from,
             Supply{root_, child->epoch, first, child->results.next(), age(env.now()),
                    chain_for_child(env.self()), child->supplies.again(env.now())},
             core::Cause::recovery);
  }
  return child;
}

void TreeNode::on(Env& env, PeerId from, const Demand& message) {
  heard(env, from, {message.epoch, message.demanded, message.received});
}

AliveToo TreeNode::sign_of_life(Env& env, const Child& child) const {
  return {root_, child.epoch, child.results.next(), age(env.now()), chain_for_child(env.self())};
}

void TreeNode::on(Env& env, PeerId from, const Alive& message) {
  const Child* child = heard(env, from, {message.epoch, message.demanded, message.received});
  if (child != nullptr) env.send(from, sign_of_life(env, *child));
}

void TreeNode::on(Env& env, PeerId from, const Results& message) {
  Child* child = heard(env, from, {message.epoch, message.demanded, message.received});
  if (child == nullptr) return;
  const std::size_t old = child->results.take(message.first, message.list.size());
  const std::size_t fresh = message.list.size() - old;
  for (std::size_t i = old; i < message.list.size(); ++i) take_result(env, message.list[i]);
  if (fresh == 0) return;
  children_.count_results(fresh);
  results_since_offer_ += static_cast<std::uint32_t>(fresh);
  if (child != children_.find(from)) return;  // sent away
  children_.count_burst(*child, std::span(message.list).subspan(old), env.now());
  evict_surplus(env);
  if (results_since_offer_ >= home_.options.full_window()) offer_best(env);
}

void TreeNode::on(Env& env, PeerId from, const Decline& message) {
  const Child* child = children_.find(from);
  if (child == nullptr || child->epoch != message.epoch) return;
  const Child gone = *child;
  children_.remove(from);
  lose(env, gone, "restart");
}

void TreeNode::heard_parent(Env& env, std::uint64_t acknowledged, Duration age,
                            const std::vector<PeerId>& ancestors) {
  up_.last_heard = env.now();
  home_.sightings.learn(root_, age, env.now());
  up_.results.acknowledge(acknowledged);
  if (up_.results.waits_since(env.now() - home_.options.timeout / 2)) resend_results(env);
  learn_ancestors(env, ancestors);
  if (in_chain(env.self())) orphan(env, "cycle");
}

// News of an ancestor travels down at once: a stale chain is what lets a move be asked for in vain.
// That an ancestor has gone may wait for the next message.
void TreeNode::learn_ancestors(Env& env, const std::vector<PeerId>& ancestors) {
  const bool news = std::any_of(ancestors.begin(), ancestors.end(),
                                [this](PeerId peer) { return !in_chain(peer); });
  ancestors_ = ancestors;
  if (!news || in_chain(env.self())) return;
  for (const Child& child : children_.list())
    if (child.epoch > 0) env.send(child.id, sign_of_life(env, child), core::Cause::maintenance);
}

void TreeNode::on(Env& env, PeerId from, const Supply& message) {
  if (!up_.is(from, message.epoch)) return;  // whoever sent it takes it back when we have left
  const std::size_t old = up_.supplies.take(message.first, message.tasks.size());
  for (std::size_t i = old; i < message.tasks.size(); ++i) pool_.push_back(message.tasks[i]);
  heard_parent(env, message.acknowledged, message.age, message.ancestors);
}

void TreeNode::on(Env& env, PeerId from, const AliveToo& message) {
  if (up_.is(from, message.epoch))
    heard_parent(env, message.acknowledged, message.age, message.ancestors);
}

// It has lost its state, and with it what it had of ours on the way up.
void TreeNode::on(Env& env, PeerId from, const Stranger& message) {
  if (up_.is(from, message.epoch)) orphan(env, "recovery");
}

void TreeNode::tick(Env& env, bool idle) {
  if (roll_) home_.sightings.learn(root_, Duration::zero(), env.now());
  check_children(env);
  check_overdue(env, idle);
  recall_missing(env);
  if (roll_) return;
  tend_farewells(env);
  check_parent(env);
  if (up_.attached()) say_alive(env);
}

void TreeNode::say_alive(Env& env) {
  if (!held_.empty()) flush(env);
  const Duration quiet = home_.options.heartbeat();
  if (env.now() - up_.last_sent < quiet && env.now() - up_.last_heard < quiet) return;
  env.send(up_.parent, Alive{root_, up_.epoch, up_.demanded, up_.supplies.next()});
  up_.announced = up_.demanded;
  up_.last_sent = env.now();
}

void TreeNode::check_children(Env& env) {
  std::vector<Child> dead;
  for (const Child& child : children_.list())
    if (env.now() - child.last_heard > home_.options.timeout) dead.push_back(child);
  for (const Child& child : dead) {
    children_.remove(child.id);
    lose(env, child, "dead child");
  }
  for (const Child& child : departures_.expire(env.now(), home_.options.timeout))
    lose(env, child, "dead child");
}

// What it holds, and what is under way to it, is handed out again.
void TreeNode::lose(Env& env, const Child& child, std::string_view reason) {
  for (const Task& task : books_.recall({child.id, child.epoch}))
    reissue(env, task, child.id, reason);
  const bool came = child.epoch > 0 || child.after != Child::adoption;  // or did not answer a Clone
  if (came && reason == "dead child") missing_.insert(child.id);
}

// Whoever is cut off for long takes the tree for dead and asks no more. While the tree lives it
// calls for those that it misses.
void TreeNode::recall_missing(Env& env) {
  const Duration known = age(env.now());
  if (missing_.empty() || known > home_.options.hope() / 2) return;
  if (env.now() - recalled_ < 2 * home_.options.timeout) return;
  recalled_ = env.now();
  for (const PeerId peer : missing_) env.send(peer, Recall{root_, known});
}

void TreeNode::check_parent(Env& env) {
  if (up_.attached() && env.now() - up_.last_heard > home_.options.timeout) {
    missing_.insert(up_.parent);
    orphan(env, "recovery");
  } else if (moving_) {
    if (moving_->unanswered(env.now())) try_next(env);
  } else if (!up_.attached()) {
    seek_parent(env);
  }
}

}  // namespace rhizome::agents::grid
