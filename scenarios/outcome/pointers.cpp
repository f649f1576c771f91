#include "scenarios/outcome/pointers.hpp"

namespace rhizome::scenarios {

using core::PeerId;

PeerId Pointers::target(PeerId peer) const {
  const auto place = places_.find(peer);
  return place == places_.end() ? core::no_peer : place->second.to;
}

bool Pointers::carries(PeerId peer) const {
  const auto place = places_.find(peer);
  return rules_.carries(peer,
                        place == places_.end() ? std::nullopt : std::optional(place->second.to));
}

// A peer that points at no peer looks for a place. That is wrong only if it takes too long, which
// `close` judges.
bool Pointers::sound(const Place& place) const {
  return place.to != core::no_peer && carries(place.to);
}

void Pointers::point(PeerId peer, PeerId to, Time at) {
  const bool carried = carries(peer);
  auto [item, fresh] = places_.try_emplace(peer, Place{.to = to, .since = at});
  Place& place = item->second;
  if (!fresh) close(peer, place, at);
  if (place.to != core::no_peer) followers_[place.to].erase(peer);
  place.to = to;
  if (to != core::no_peer) followers_[to].insert(peer);
  place.sound = sound(place);
  if (carries(peer) != carried) tell_followers(peer, at);
}

void Pointers::remove(PeerId peer, Time at) {
  const auto item = places_.find(peer);
  if (item == places_.end()) return;
  close(peer, item->second, at);
  if (item->second.to != core::no_peer) followers_[item->second.to].erase(peer);
  places_.erase(item);
  tell_followers(peer, at);
}

void Pointers::tell_followers(PeerId peer, Time at) {
  const auto followers = followers_.find(peer);
  if (followers == followers_.end()) return;
  for (const PeerId follower : followers->second) {
    Place& place = places_.at(follower);
    const bool now = sound(place);
    if (now == place.sound) continue;
    close(follower, place, at);
    place.sound = now;
  }
}

void Pointers::close(PeerId peer, Place& place, Time at) {
  const Time since = std::exchange(place.since, at);
  const Duration stood = at - since;
  const Duration grace = place.to == core::no_peer ? patience_.mend : patience_.notice;
  const bool judges = !paused_ && stood > grace;
  times_.add(judges ? stood - grace : Duration::zero(), stood);
  if (!judges || place.sound) return;
  const PeerId to = place.to;
  findings_.add(rules_.invariant, peer, since + grace, [&] {
    return name_of(peer) + " " + rules_.words(peer, to) + rules_.trail(peer, since + grace);
  });
}

void Pointers::close_all(Time at) {
  for (auto& [peer, place] : places_) close(peer, place, at);
}

void Pointers::pause(Time at) {
  close_all(at);
  paused_ = true;
}

void Pointers::resume(Time at) {
  close_all(at);
  paused_ = false;
}

}  // namespace rhizome::scenarios
