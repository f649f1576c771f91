#include "agents/organic_grid/tree/moves.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents::grid {

void Moves::join(Env& env, PeerId parent, const Clone& clone) {
  lineage_.learn(clone.age, env.now());
  lineage_.descend(clone.ancestors);
  up_.attach(env, {.parent = parent, .epoch = home_.next_epoch()}, "join");
}

void Moves::on(Env& env, PeerId from, const Move& message) {
  if (from == up_.parent() && !moving_) begin(env, {message.to}, "promotion");
}

void Moves::on(Env& env, PeerId from, const Evict& message) {
  if (from != up_.parent() || moving_) return;
  begin(env, {message.candidates.begin(), message.candidates.end()}, "eviction");
}

void Moves::begin(Env& env, std::deque<PeerId> candidates, std::string_view reason) {
  moving_.emplace(std::move(candidates), reason);
  try_next(env);
}

// A node that finds no place stays; if it was evicted, it is told to go once more.
void Moves::try_next(Env& env) {
  const auto next = moving_->next([&](PeerId peer) {
    return home_.exists(peer) && peer != env.self() && peer != up_.parent() &&
           !down_.children().has(peer);
  });
  if (!next) {
    moving_.reset();
    return;
  }
  const std::uint64_t epoch = home_.next_epoch();
  const bool climbs = !up_.attached() || !down_.alone();
  moving_->ask(*next, epoch, env.now() + home_.options.timeout / 2);
  env.send(*next, Adopt{lineage_.root(), epoch, climbs}, moving_->cause());
}

void Moves::on(Env& env, PeerId from, const Wait& message) {
  if (!moving_ || !moving_->asked(from, message.epoch)) return;
  const std::uint32_t steps = std::min(message.steps, home_.peers);
  moving_->wait(env.now() + home_.options.timeout / 2 + steps * home_.options.heartbeat());
}

void Moves::on(Env& env, PeerId from, const Accept& message) {
  if (up_.is(from, message.epoch)) return;
  const auto& chain = message.ancestors;
  const bool wanted = moving_ && moving_->asked(from, message.epoch);
  if (!wanted || std::find(chain.begin(), chain.end(), env.self()) != chain.end()) {
    env.send(from, Leave{lineage_.root(), message.epoch, 0});
    if (wanted) try_next(env);
    return;
  }
  const std::string_view reason = moving_->reason();
  moving_.reset();
  lineage_.learn(message.age, env.now());
  learn_ancestors(env, chain);
  up_.attach(env, {.parent = from, .epoch = message.epoch}, reason);
}

// Asks the children of the node that refused next: there is room somewhere below.
void Moves::on(Env& env, PeerId from, const Reject& message) {
  if (!moving_ || !moving_->asked(from, message.epoch)) return;
  if (moving_->reason() != "promotion")
    for (const PeerId child : message.children) moving_->add(child);
  try_next(env);
}

// News of an ancestor is passed down at once, because a stale chain makes nodes ask for impossible
// moves. The loss of an ancestor may wait for the next message.
void Moves::learn_ancestors(Env& env, const std::vector<PeerId>& ancestors) {
  const bool news = lineage_.descend(ancestors);
  if (!news || lineage_.has(env.self())) return;
  down_.tell_ancestors(env);
}

void Moves::orphan(Env& env, std::string_view reason) {
  moving_.reset();
  up_.detach(env, reason);
  seek_parent(env);
}

// The ancestors from the nearest above the lost parent on; then the root, which takes an orphan in
// without asking further up, and names its children if it has no room; then the neighbours; and
// since an end is worse than a detour, any peer.
void Moves::seek_parent(Env& env) {
  const std::vector<PeerId>& ancestors = lineage_.ancestors();
  std::deque<PeerId> candidates;
  for (std::size_t i = 1; i < ancestors.size() && i <= home_.options.ancestors; ++i)
    candidates.push_back(ancestors[i]);
  candidates.push_back(lineage_.root());
  candidates.insert(candidates.end(), home_.neighbours.begin(), home_.neighbours.end());
  candidates.push_back(PeerId{static_cast<std::uint32_t>(env.rng().below(home_.peers))});
  begin(env, std::move(candidates), "recovery");
}

void Moves::tick(Env& env) {
  if (moving_) {
    if (moving_->unanswered(env.now())) try_next(env);
  } else if (!up_.attached()) {
    seek_parent(env);
  }
}

}  // namespace rhizome::agents::grid
