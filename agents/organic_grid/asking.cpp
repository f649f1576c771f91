// How a peer finds work: it asks, and a peer that has some clones an agent to it, now or later.
#include <algorithm>
#include <utility>

#include "agents/organic_grid/organic_grid.hpp"

namespace rhizome::agents {

using grid::TreeNode;

namespace {

// The peer that asks belongs to that tree already.
bool serves(const grid::Ask& ask, PeerId root) {
  return std::find(ask.serving.begin(), ask.serving.end(), root) != ask.serving.end();
}

}  // namespace

// Idle and without a tree that feeds it, a peer asks its neighbours, less and less often.
void OrganicGrid::on(Env& env, const grid::AskDue&) { ask(env); }

void OrganicGrid::ask(Env& env) {
  if (resting_ || all_over() || home_.draining) return;
  asking_ = env.after(patience_, grid::AskDue{});
  patience_ = std::min(patience_ * 2, home_.options.ask_again * 4);
  if (membership_.working()) return;
  referrals_ = 0;
  if (!server_.idle() || (fed() && roots_.size() == 1)) return;
  // If all neighbours may be dead, any other peer may know more.
  ask_around(env, patience_ >= home_.options.ask_again * 4);
}

void OrganicGrid::ask_around(Env& env, bool widely) {
  grid::Ask message{.epoch = home_.epoch,
                    .worried = without_news(env.now()) > home_.options.hope() / 2};
  for (const auto& [root, node] : nodes_) message.serving.push_back(root);
  for (const PeerId neighbour : home_.neighbours) env.send(neighbour, message);
  if (!widely) return;
  const PeerId anybody{static_cast<std::uint32_t>(env.rng().below(world_.peers()))};
  if (anybody != env.self()) env.send(anybody, message);
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Ask& message) {
  if (from == env.self()) return;
  if (all_over()) {
    env.send(from, farewell());
    return;
  }
  if (message.worried || resting_) {
    const bool lives = is_root(env.self()) && !resting_;
    if (lives) home_.sightings.learn(env.self(), core::Duration::zero(), env.now());
    env.send(from, grid::Vouch{resting_, home_.sightings.all(env.now())});
  }
  if (resting_) {
    lost_.insert(from);
    return;
  }
  bool taken = enlist(env, from, message);
  for (auto& [root, node] : nodes_)
    if (!taken && !serves(message, root) && from != root)
      taken = node.asked(env, from, message.epoch);
  if (!taken) refer(env, from);
  if (!taken && !membership_.working()) remember(from, message);
  if (!ended_.empty() && !taken) env.send(from, farewell());
  settle(env);
}

void OrganicGrid::remember(PeerId beggar, const grid::Ask& ask) {
  std::erase_if(beggars_, [beggar](const Beggar& known) { return known.peer == beggar; });
  beggars_.push_back({beggar, ask});
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Clone& message) {
  if (!is_root(message.root) || from == env.self()) return;
  if (over(message.root)) {
    env.send(from, farewell());
    return;
  }
  const TreeNode* known = node(message.root);
  if (known != nullptr && known->parent() == from) return;  // a second copy
  if (known != nullptr || membership_.working() || home_.draining) {
    env.send(from, grid::Decline{message.root, 0});
    return;
  }
  wake(env, message.age);
  TreeNode& made = nodes_.try_emplace(message.root, message.root, home_).first->second;
  made.join(env, from, message);
  for (const PeerId peer : std::exchange(lost_, {})) made.miss(peer);
  settle(env);
}

// Whether a peer that may join that tree has asked in vain. Peers that prefetch have tasks left for
// it anyway.
bool OrganicGrid::begged(PeerId root) const {
  if (home_.options.prefetch) return false;
  return std::any_of(beggars_.begin(), beggars_.end(), [root](const Beggar& beggar) {
    return beggar.peer != root && !serves(beggar.ask, root);
  });
}

// Peers that asked in vain are remembered, so that they need not ask often.
void OrganicGrid::serve_beggars(Env& env) {
  if (beggars_.empty()) return;
  for (auto& [root, node] : nodes_)
    for (std::size_t i = 0; i < beggars_.size() && node.has_surplus();) {
      const Beggar beggar = beggars_[i];
      if (beggar.peer == root || serves(beggar.ask, root)) {
        ++i;
        continue;
      }
      beggars_.erase(beggars_.begin() + static_cast<std::ptrdiff_t>(i));
      if (!enlist(env, beggar.peer, beggar.ask)) node.asked(env, beggar.peer, beggar.ask.epoch);
    }
}

}  // namespace rhizome::agents
