#include "overlay/failure_detector.hpp"

#include <algorithm>

#include "core/peer/spare.hpp"

namespace rhizome::overlay {

void FailureDetector::watch(PeerId peer, std::optional<std::uint32_t> life) {
  Watched& watched = watched_[peer];
  ++watched.watchers;
  if (!watched.incarnation) watched.incarnation = life;
}

bool FailureDetector::is_past(PeerId peer, std::uint32_t life) const {
  const auto found = watched_.find(peer);
  return found != watched_.end() && found->second.incarnation && life < *found->second.incarnation;
}

// The opinion of a peer is forgotten with it, unless it is dead: dead peers are remembered.
void FailureDetector::unwatch(PeerId peer) {
  const auto found = watched_.find(peer);
  if (found == watched_.end() || found->second.watchers == 0) return;
  if (--found->second.watchers > 0 || thinks_dead(peer)) return;
  watched_.erase(found);
  core::release_spare(watched_);
}

void FailureDetector::start(Env& env) {
  env.after(core::Duration(env.rng().between(0, options_.round.count())), RoundDue{});
}

void FailureDetector::on(Env& env, const RoundDue&) {
  env.after(options_.round, RoundDue{});
  for (auto& [peer, watched] : watched_) {
    if (watched.asked) judge(env, peer, watched);
    watched.asked = true;
    watched.heard = false;
    env.send(peer, Ping{env.self()});
  }
  if (options_.helpers > 0 && !watched_.empty()) env.after(options_.round / 2, HelpDue{});
  env.raise(PingRound{});
}

std::uint32_t FailureDetector::rounds_until_dead(PeerId peer) const {
  constexpr std::uint32_t most = 3;  // mistakes that count
  const auto found = mistakes_.find(peer);
  const std::uint32_t mistakes = found == mistakes_.end() ? 0 : found->second;
  return options_.rounds_until_dead + std::min(mistakes, most);
}

// After a round: a silent peer is suspected first, and dead after some silent rounds in a row.
void FailureDetector::judge(Env& env, PeerId peer, Watched& watched) {
  if (watched.heard) return;
  ++watched.silent;
  if (watched.silent == rounds_until_dead(peer)) {
    dead_.insert(peer);
    env.note(PeerDead{peer});
    env.raise(Liveness{peer, Liveness::Kind::dead});
  } else if (watched.silent == 1) {
    env.note(PeerSuspected{peer});
    env.raise(Liveness{peer, Liveness::Kind::suspected});
  }
}

// Helpers are other watched peers that were heard in this round.
void FailureDetector::on(Env& env, const HelpDue&) {
  std::vector<PeerId> helpers;
  for (const auto& [peer, watched] : watched_)
    if (watched.asked && watched.heard) helpers.push_back(peer);
  for (const auto& [peer, watched] : watched_) {
    if (watched.heard || !watched.asked) continue;
    env.rng().shuffle(std::span(helpers));
    const std::size_t asked = std::min<std::size_t>(options_.helpers, helpers.size());
    for (std::size_t i = 0; i < asked; ++i) env.send(helpers[i], PingRequest{env.self(), peer});
  }
}

void FailureDetector::on(Env& env, PeerId from, const Ping& message) {
  if (!exists(message.origin)) return;
  pinged_by_.insert(message.origin);
  env.send(from, Pong{message.origin, env.self(), env.incarnation().value});
}

void FailureDetector::on(Env& env, PeerId, const PingRequest& message) {
  if (exists(message.origin) && exists(message.target))
    env.send(message.target, Ping{message.origin});
}

// Only a peer itself can tell its life: an answer through a helper shows that it lives, and no
// more.
void FailureDetector::on(Env& env, PeerId from, const Pong& message) {
  if (message.origin != env.self()) {
    if (exists(message.origin)) env.send(message.origin, message);
    return;
  }
  const auto found = watched_.find(message.target);
  if (found == watched_.end()) return;
  Watched& watched = found->second;
  if (watched.incarnation && message.incarnation < *watched.incarnation) return;
  const bool own_word = from == message.target;
  const bool restarted =
      own_word && watched.incarnation && message.incarnation > *watched.incarnation;
  const bool doubted = watched.silent > 0;
  if (own_word) watched.incarnation = message.incarnation;
  watched.heard = true;
  watched.silent = 0;
  resurrect(message.target, restarted);
  if (doubted || restarted) {
    env.note(PeerAlive{message.target, restarted});
    env.raise(Liveness{message.target, Liveness::Kind::alive, restarted});
  }
  if (watched.watchers == 0) watched_.erase(found);
}

// A peer that was held for dead and is in the same life was not dead.
void FailureDetector::resurrect(PeerId peer, bool restarted) {
  const bool was_dead = dead_.erase(peer) > 0;
  if (restarted) {
    mistakes_.erase(peer);
  } else if (was_dead) {
    ++mistakes_[peer];
  }
}

void FailureDetector::on(Env& env, const core::Departure&) {
  for (const PeerId peer : pinged_by_) env.send(peer, Farewell{env.incarnation().value});
}

// A farewell of an earlier life than the known one is too late; one of a dead peer is no news.
void FailureDetector::on(Env& env, PeerId from, const Farewell& message) {
  const auto found = watched_.find(from);
  if (found == watched_.end() || thinks_dead(from)) return;
  Watched& watched = found->second;
  if (watched.incarnation && message.incarnation < *watched.incarnation) return;
  watched.incarnation = message.incarnation;
  watched.heard = false;
  watched.silent = rounds_until_dead(from);
  dead_.insert(from);
  env.note(PeerLeft{from});
  env.raise(Liveness{from, Liveness::Kind::dead});
}

}  // namespace rhizome::overlay
