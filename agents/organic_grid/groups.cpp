// Groups in the tree: how a peer becomes a worker, which tasks workers are handed, and what happens
// when either side is lost. Without groups nothing here is used.
#include <algorithm>

#include "agents/organic_grid/organic_grid.hpp"

namespace rhizome::agents {

using grid::TreeNode;

// A peer that asks becomes a worker first, as long as the group has room: leaders gather leaves,
// and later peers make the tree. A root has no group, because it works for the tree.
bool OrganicGrid::enlist(Env& env, PeerId from, const grid::Ask& ask) {
  if (home_.options.group == 0) return false;
  if (group_.asks_late(env, from, ask.epoch)) return true;
  give_back(env, group_.remove(from, "restart"));  // it has forgotten us
  const bool able = !membership_.working() && !is_root(env.self()) && group_.room();
  const bool willing = ask.serving.empty() && !is_root(from);
  const bool work = std::any_of(nodes_.begin(), nodes_.end(),
                                [](const auto& item) { return item.second.has_work(); });
  if (!able || !willing || !work) return false;
  group_.invite(env, from, ask.epoch);
  return true;
}

// A worker knows its leader, and a leader without room knows a leader below it.
void OrganicGrid::refer(Env& env, PeerId from) {
  if (home_.options.group == 0) return;
  PeerId to = membership_.leader();
  for (const auto& [root, node] : nodes_) {
    const auto& children = node.children().list();
    if (!children.empty()) to = children[env.rng().below(children.size())].id;
  }
  if (to != core::no_peer && to != from && to != env.self()) env.send(from, grid::Refer{to});
}

void OrganicGrid::take(Env& env, PeerId, const grid::Refer& message) {
  constexpr int most = 8;  // steps down a tree
  if (fed() || resting_ || membership_.working() || ++referrals_ > most) return;
  if (message.to != env.self() && home_.exists(message.to))
    env.send(message.to, grid::Ask{.epoch = home_.epoch});
}

// An invitation may come once more after the end; it wakes no peer.
void OrganicGrid::take(Env& env, PeerId from, const grid::Enlist&) {
  if (all_over()) return env.send(from, farewell());
  const bool stays = membership_.working() && membership_.leader() == from;
  const bool free = nodes_.empty() && ended_.empty() && !is_root(env.self());
  const bool taken = membership_.working() || home_.options.group == 0;
  if (!stays && (!free || taken)) {
    env.send(from, grid::Dismiss{home_.epoch});
    if (!ended_.empty()) env.send(from, farewell());
    return;
  }
  wake(env, core::Duration::zero());
  membership_.join(env, from, home_);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Enlisted& message) {
  if (group_.on(env, from, message)) settle(env);
}

void OrganicGrid::hand_out(Env& env) {
  const auto fits = [&](const TreeNode&, const Task& task) {
    return group_.place_for(task).has_value();
  };
  while (TreeNode* node = in_turn(fits)) {
    const PeerId worker = *group_.place_for(*node->next_task());
    group_.assign(env, worker, node->take_task(env), node->root());
  }
}

// A leader may not have heard of the end yet.
void OrganicGrid::take(Env& env, PeerId from, const grid::Assign& message) {
  if (all_over())
    env.send(from, farewell());
  else
    membership_.on(env, from, message);
  tell_waiting(env);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Done& message) {
  if (const auto held = group_.on(env, from, message))
    if (TreeNode* node = find(held->root))
      node->take_result(env, {message.task, from, message.pace});
  settle(env);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::WorkerAlive& message) {
  group_.on(env, from, message);
  env.send(from, grid::LeaderAlive{home_.sightings.all(env.now())});
  if (!ended_.empty()) env.send(from, farewell());  // the first one may have been lost
  settle(env);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::LeaderAlive& message) {
  membership_.on(env, from, message);
  learn(env, message.sightings);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Dismiss& message) {
  if (membership_.is(from, message.epoch)) quit(env, "dismissed");
  give_back(env, group_.on(from, message));
  settle(env);
}

void OrganicGrid::tend_group(Env& env) {
  if (membership_.working() && !membership_.tick(env)) quit(env, "leader lost");
  for (const grid::Group::Lost& lost : group_.bury(env.now())) {
    give_back(env, lost);
    if (!nodes_.empty()) nodes_.begin()->second.miss(lost.worker);
  }
  // Without a tree this peer has no tasks to hand out, so it ends its group: the workers may know
  // of another tree.
  if (nodes_.empty())
    for (const grid::Group::Lost& lost : group_.disband(env)) lost_.insert(lost.worker);
}

// Leaves the group, and asks for work like a new peer.
void OrganicGrid::quit(Env& env, std::string_view reason) {
  membership_.leave(env, reason);
  env.cancel(asking_);
  patience_ = home_.options.ask_again;
  ask(env);
}

void OrganicGrid::give_back(Env& env, const grid::Group::Lost& lost) {
  for (const grid::Group::HeldTask& held : lost.tasks)
    if (TreeNode* node = find(held.root)) node->reissue(env, held.task, lost.worker, lost.reason);
  if (!lost.tasks.empty()) tell_waiting(env);
}

}  // namespace rhizome::agents
