// How long a peer goes on without news of its roots. No peer can tell a dead root from one that is
// cut off: after a time without news a peer notes that, rests, and goes on when it is called.
#include "agents/organic_grid/organic_grid.hpp"

namespace rhizome::agents {

void OrganicGrid::learn(Env& env, const std::vector<grid::Sighting>& sightings) {
  for (const grid::Sighting& sighting : sightings)
    if (is_root(sighting.root)) home_.sightings.learn(sighting.root, sighting.age, env.now());
}

// The shortest time without news of any root that has not ended, for each may have work.
Duration OrganicGrid::without_news(core::Time now) const {
  Duration least = now - hope_since_;
  for (const PeerId root : roots_)
    if (!over(root)) least = std::min(least, home_.sightings.age(root, now).value_or(least));
  return least;
}

// A peer that has given up knows more than a peer that has just begun.
void OrganicGrid::take(Env& env, PeerId, const grid::Vouch& message) {
  learn(env, message.sightings);
  if (message.hopeless) hope_since_ = env.now() - 2 * home_.options.hope();
}

// A peer that took a tree for dead is called back by peers that know better.
void OrganicGrid::take(Env& env, PeerId from, const grid::Recall& message) {
  if (!is_root(message.root) || from == env.self()) return;
  if (over(message.root)) {
    env.send(from, farewell());
    return;
  }
  home_.sightings.learn(message.root, message.age, env.now());
  wake(env, message.age);
  if (!membership_.working() && node(message.root) == nullptr)
    env.send(from, grid::Ask{.epoch = home_.epoch});
}

// An agent without hope makes room: another tree may feed this peer, or this one later on.
void OrganicGrid::drop_hopeless(Env& env) {
  for (auto node = nodes_.begin(); node != nodes_.end();) {
    if (!node->second.hopeless(env.now())) {
      ++node;
      continue;
    }
    node->second.dissolve(env);
    for (const PeerId peer : node->second.acquaintances()) lost_.insert(peer);
    lost_.insert(home_.neighbours.begin(), home_.neighbours.end());
    node = nodes_.erase(node);
  }
}

// Worried, a peer asks whether others know more, and then it gives up.
void OrganicGrid::check_hope(Env& env) {
  if (resting_ || !nodes_.empty() || membership_.working()) return;
  const Duration silence = without_news(env.now());
  if (silence > home_.options.hope()) {
    give_up(env);
  } else if (silence > home_.options.hope() / 2 && env.now() - pleaded_ > home_.options.timeout) {
    pleaded_ = env.now();
    ask_around(env, true);
    if (silence > home_.options.hope() * 3 / 4) ask_roots(env);
  }
}

// Asks the roots directly, because all neighbours may be cut off alike, or absent. A detour is
// better than giving up.
void OrganicGrid::ask_roots(Env& env) const {
  for (const PeerId root : roots_)
    if (!over(root) && root != env.self())
      env.send(root, grid::Ask{.epoch = home_.epoch, .worried = true}, core::Cause::recovery);
}

// All files are at the source, which may be the root of another tree. A root whose workers may wait
// for files asks the source for a sign of life, and ends its own tree where none comes for ten
// times as long as a peer hopes: no peer can call back a tree that has ended.
void OrganicGrid::check_files(Env& env) {
  const PeerId source = world_.source;
  if (!world_.files.used || source == env.self() || !is_root(env.self()) || over(env.self()))
    return;
  const Duration hope = home_.options.hope();
  const Duration silence = home_.sightings.age(source, env.now()).value_or(env.now() - hope_since_);
  if (silence > 10 * hope) {
    env.note(RunFailed{source, "files out of reach"});
    end_tree(env, env.self(), env.self());
  } else if (silence > hope / 2) {
    env.send(source, grid::Ask{.epoch = home_.epoch, .worried = true, .serving = roots_},
             core::Cause::recovery);
  }
}

void OrganicGrid::give_up(Env& env) {
  for (const PeerId root : roots_)
    if (!over(root)) env.note(RunFailed{root, "root out of reach"});
  for (const grid::Group::Lost& lost : group_.disband(env)) lost_.insert(lost.worker);
  membership_.leave(env, "root out of reach");
  beggars_.clear();
  stop(env);
  env.rest();
}

void OrganicGrid::wake(Env& env, Duration age) {
  hope_since_ = std::max(hope_since_, env.now() - std::max(age, Duration::zero()));
  if (!std::exchange(resting_, false)) return;
  env.resume();
  beat(env);
  patience_ = home_.options.ask_again;
  asking_ = env.after(patience_, grid::AskDue{});
}

}  // namespace rhizome::agents
