// Cyclon, and T-Man on top of it, among many peers in virtual time; and what their graphs are like.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/virtual_engine.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/properties.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::test {

class OverlayRun {
 public:
  // Begins as a ring, in which a peer knows its successors only. With a ranking, T-Man runs beside
  // Cyclon once views are random, and peer i has utility i.
  static constexpr int warm_up = 20;  // cycles
  OverlayRun(std::uint32_t peers, overlay::CyclonOptions options,
             std::optional<overlay::Ranking> ranking = {}, std::uint64_t seed = 1,
             int shuffles_per_exchange = 1)
      : peers_(peers),
        seed_(seed),
        period_(options.period),
        ranking_(ranking),
        shuffles_per_exchange_(shuffles_per_exchange),
        ring_(twice_around(peers)),
        engine_(setup(options)) {}

  void cycles(int count) {
    now_ += count * period_;
    engine_.run_until(now_);
  }
  void kill(double share) {
    core::Rng rng(seed_);
    std::vector<core::PeerId> all;
    for (std::uint32_t i = 0; i < peers_; ++i) all.push_back(core::PeerId{i});
    rng.shuffle(std::span(all));
    all.resize(static_cast<std::size_t>(share * peers_));
    for (const core::PeerId peer : all) engine_.crash(peer);
  }
  [[nodiscard]] overlay::Properties properties() const;
  // The share of the true best neighbours that T-Man's views hold, over all peers.
  [[nodiscard]] double correct_neighbours() const;
  // The number of links in views of T-Man.
  [[nodiscard]] std::size_t similar_links() const { return count_similar(false); }
  [[nodiscard]] std::size_t similar_links_to_the_dead() const { return count_similar(true); }
  [[nodiscard]] const core::VirtualEngine& engine() const { return engine_; }

 private:
  [[nodiscard]] std::size_t count_similar(bool only_to_the_dead) const {
    std::size_t links = 0;
    for (std::uint32_t i = 0; i < peers_; ++i) {
      const core::Peer* peer = engine_.peer(core::PeerId{i});
      if (peer == nullptr) continue;
      for (const auto& link : peer->find<overlay::TMan>()->view())
        links += !only_to_the_dead || engine_.peer(link.peer) == nullptr ? 1 : 0;
    }
    return links;
  }
  static std::vector<core::PeerId> twice_around(std::uint32_t peers) {
    std::vector<core::PeerId> ring;
    for (std::uint32_t i = 0; i < 2 * peers; ++i) ring.push_back(core::PeerId{i % peers});
    return ring;
  }
  core::EngineSetup setup(overlay::CyclonOptions options) {
    core::EngineSetup made;
    made.peers = peers_;
    made.links = &links_;
    made.seed = seed_;
    made.recording.period = core::Duration::zero();
    made.make_peer = [this, options](core::PeerId id, core::Incarnation incarnation) {
      auto peer = std::make_unique<core::Peer>(id, incarnation, seed_);
      const std::span<const core::PeerId> ring(ring_);
      const overlay::Neighbours seeds(ring.subspan(id.value + 1, options.view));
      overlay::CyclonOptions random = options;
      random.period /= shuffles_per_exchange_;
      auto& cyclon = peer->add<overlay::Cyclon>(random, seeds);
      cyclon.advertise({.utility = static_cast<double>(id.value)});
      if (ranking_)
        peer->add<overlay::TMan>(
            overlay::TManOptions{.period = options.period, .begin_after = warm_up * options.period},
            *ranking_, cyclon);
      return peer;
    };
    return made;
  }

  std::uint32_t peers_;
  std::uint64_t seed_;
  core::Duration period_;
  std::optional<overlay::Ranking> ranking_;
  int shuffles_per_exchange_;
  std::vector<core::PeerId> ring_;
  core::LinkChain links_;
  core::VirtualEngine engine_;
  core::Time now_{};
};

inline overlay::Properties OverlayRun::properties() const {
  std::vector<overlay::Edge> links;
  std::vector<bool> living(peers_);
  for (std::uint32_t i = 0; i < peers_; ++i) {
    const core::Peer* peer = engine_.peer(core::PeerId{i});
    living[i] = peer != nullptr;
    if (!living[i]) continue;
    for (const auto& link : peer->find<overlay::Cyclon>()->view())
      links.emplace_back(i, link.peer.value);
  }
  return overlay::properties_of(links, living);
}

inline double OverlayRun::correct_neighbours() const {
  std::size_t right = 0;
  std::size_t all = 0;
  for (std::uint32_t i = 0; i < peers_; ++i) {
    const auto descriptor = [](std::uint32_t peer) {
      overlay::Descriptor made{.peer = core::PeerId{peer}};
      made.advert.utility = peer;
      return made;
    };
    std::vector<overlay::Descriptor> best;
    for (std::uint32_t j = 0; j < peers_; ++j)
      if (j != i) best.push_back(descriptor(j));
    const auto& view = engine_.peer(core::PeerId{i})->find<overlay::TMan>()->view();
    const std::size_t wanted = std::min<std::size_t>(10, best.size());
    std::partial_sort(
        best.begin(), best.begin() + static_cast<std::ptrdiff_t>(wanted), best.end(),
        [&](const auto& a, const auto& b) { return ranking_->prefers(descriptor(i), a, b); });
    for (std::size_t n = 0; n < wanted; ++n) {
      ++all;
      right += std::any_of(view.begin(), view.end(),
                           [&](const auto& d) { return d.peer == best[n].peer; })
                   ? 1
                   : 0;
    }
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

}  // namespace rhizome::test
