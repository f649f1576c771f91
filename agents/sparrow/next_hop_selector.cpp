#include "agents/sparrow/next_hop_selector.hpp"

#include <algorithm>

#include "overlay/next_hop.hpp"

namespace rhizome::agents::sparrow {

using overlay::Descriptor;
using overlay::Neighbours;

// Views that never change may hold only dead peers. The ring of masters has the addresses of all
// peers.
std::vector<PeerId> NextHopSelector::directions(Env& env, std::size_t count) {
  std::vector<PeerId> chosen = overlays_.random != nullptr
                                   ? choose(env, count)
                                   : draw(env, world_.graph.of(env.self()), count, core::no_peer);
  const bool unchanging = overlays_.random == nullptr || options_.shuffle_period.count() == 0;
  if (chosen.empty() && unchanging) {
    const PeerId any = anybody(env);
    if (any != core::no_peer) chosen.push_back(any);
  }
  return chosen;
}

std::vector<PeerId> NextHopSelector::elsewhere(Env& env, std::size_t count) {
  const PeerId beyond{world_.peers()};
  return draw(env, Neighbours::all_but(beyond, world_.peers() + 1), count, core::no_peer);
}

PeerId NextHopSelector::anybody(Env& env) const {
  const auto drawn = draw(env, Neighbours::all_but(env.self(), world_.peers()), 1, core::no_peer);
  return drawn.empty() ? core::no_peer : drawn.front();
}

PeerId NextHopSelector::next(Env& env, PeerId from) {
  if (overlays_.random != nullptr)
    return choose_one(env, [&](PeerId peer) { return peer == from; });
  const std::vector<PeerId> drawn = draw(env, world_.graph.of(env.self()), 1, from);
  return drawn.empty() ? core::no_peer : drawn.front();
}

std::vector<PeerId> NextHopSelector::draw(Env& env, Neighbours among, std::size_t count,
                                          PeerId without) const {
  std::vector<PeerId> chosen;
  overlay::Drawing drawing(among, env.rng());
  while (chosen.size() < count) {
    const PeerId peer = drawing.next();
    if (peer == core::no_peer) break;
    if (peer != without && !overlays_.detector.thinks_dead(peer)) chosen.push_back(peer);
  }
  return chosen;
}

std::vector<PeerId> NextHopSelector::choose(Env& env, std::size_t count) {
  std::vector<PeerId> chosen;
  while (chosen.size() < count) {
    const PeerId next = choose_one(env, [&](PeerId peer) {
      return std::find(chosen.begin(), chosen.end(), peer) != chosen.end();
    });
    if (next == core::no_peer) break;
    chosen.push_back(next);
  }
  return chosen;
}

const std::vector<Descriptor>& NextHopSelector::links() {
  const std::vector<Descriptor>& random = overlays_.random->view();
  if (overlays_.gradient == nullptr || overlays_.gradient->view().empty()) return random;
  const std::vector<Descriptor>& similar = overlays_.gradient->view();
  if (options_.view == ViewSource::gradient) return similar;
  both_ = similar;
  both_.insert(both_.end(), random.begin(), random.end());
  both_ = overlay::newest(std::move(both_));
  return both_;
}

template <class Excluded>
PeerId NextHopSelector::choose_one(Env& env, Excluded excluded) {
  const Descriptor* link = overlay::next_hop(
      links(), options_.temperature, env.rng(),
      [&](PeerId peer) { return overlays_.detector.thinks_dead(peer) || excluded(peer); });
  if (link == nullptr) return core::no_peer;
  env.note(AdvertUsed{link->peer, env.now() - link->taken});
  return link->peer;
}

}  // namespace rhizome::agents::sparrow
