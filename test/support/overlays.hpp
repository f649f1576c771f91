// Cyclon, and T-Man on top of it, among many peers in virtual time; and what their graphs are like.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/virtual_engine.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/graph.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::test {

// Of the directed graph of views among the living.
struct Properties {
  double mean_in_degree = 0;
  double in_degree_deviation = 0;
  double clustering = 0;  // undirected, mean over peers
  double mean_path = 0;   // undirected, from a sample of peers
  std::size_t dead_links = 0;
  std::size_t largest_part = 0;
};

class OverlayRun {
 public:
  // Begins as a star-like ring: everybody knows its successors only. With a ranking, T-Man runs
  // beside Cyclon, and peer i has utility i.
  OverlayRun(std::uint32_t peers, overlay::CyclonOptions options,
             std::optional<overlay::Ranking> ranking = {}, std::uint64_t seed = 1)
      : peers_(peers),
        seed_(seed),
        period_(options.period),
        ranking_(ranking),
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
  [[nodiscard]] Properties properties() const;
  // The share of the true best neighbours that T-Man's views hold, over all peers.
  [[nodiscard]] double correct_neighbours() const;
  [[nodiscard]] const core::VirtualEngine& engine() const { return engine_; }

 private:
  core::EngineSetup setup(overlay::CyclonOptions options) {
    core::EngineSetup made;
    made.peers = peers_;
    made.links = &links_;
    made.seed = seed_;
    made.recording.period = core::Duration::zero();
    made.make_peer = [this, options](core::PeerId id, core::Incarnation incarnation) {
      auto peer = std::make_unique<core::Peer>(id, incarnation, seed_);
      std::vector<core::PeerId> seeds;
      for (std::uint32_t i = 1; i <= options.view; ++i)
        seeds.push_back(core::PeerId{(id.value + i) % peers_});
      auto board = std::make_shared<overlay::Advert>();
      board->free_cpus = id.value;
      auto& cyclon = peer->add<overlay::Cyclon>(options, seeds, board);
      if (ranking_)
        peer->add<overlay::TMan>(overlay::TManOptions{.period = options.period}, *ranking_, cyclon,
                                 board);
      return peer;
    };
    return made;
  }

  std::uint32_t peers_;
  std::uint64_t seed_;
  core::Duration period_;
  std::optional<overlay::Ranking> ranking_;
  core::LinkChain links_;
  core::VirtualEngine engine_;
  core::Time now_{};
};

inline Properties OverlayRun::properties() const {
  Properties is;
  std::vector<overlay::Edge> edges;
  std::vector<std::size_t> in_degree(peers_);
  std::vector<std::uint32_t> living;
  for (std::uint32_t i = 0; i < peers_; ++i) {
    const core::Peer* peer = engine_.peer(core::PeerId{i});
    if (peer == nullptr) continue;
    living.push_back(i);
    for (const auto& link : peer->find<overlay::Cyclon>()->view()) {
      if (engine_.peer(link.peer) == nullptr) {
        ++is.dead_links;
      } else {
        ++in_degree[link.peer.value];
        edges.emplace_back(i, link.peer.value);
      }
    }
  }
  const overlay::Graph graph = overlay::graph_of(peers_, edges);
  double square = 0;
  for (const std::uint32_t i : living) is.mean_in_degree += static_cast<double>(in_degree[i]);
  is.mean_in_degree /= static_cast<double>(living.size());
  for (const std::uint32_t i : living)
    square += std::pow(static_cast<double>(in_degree[i]) - is.mean_in_degree, 2);
  is.in_degree_deviation = std::sqrt(square / static_cast<double>(living.size()));
  for (const std::uint32_t i : living) {
    const auto around = graph.of(core::PeerId{i});
    std::size_t closed = 0;
    for (const core::PeerId a : around) {
      const auto beyond = graph.of(a);
      for (const core::PeerId b : around)
        if (a < b && std::binary_search(beyond.begin(), beyond.end(), b)) ++closed;
    }
    const double pairs = static_cast<double>(around.size() * (around.size() - 1)) / 2;
    if (pairs > 0) is.clustering += static_cast<double>(closed) / pairs;
  }
  is.clustering /= static_cast<double>(living.size());
  double total = 0;
  std::size_t ways = 0;
  for (std::size_t s = 0; s < living.size(); s += std::max<std::size_t>(1, living.size() / 20)) {
    std::size_t reached = 0;
    for (const std::uint32_t distance : overlay::hops(graph, core::PeerId{living[s]}))
      if (distance != overlay::unreachable) {
        total += distance;
        ways += distance > 0 ? 1 : 0;
        ++reached;
      }
    is.largest_part = std::max(is.largest_part, reached);
  }
  is.mean_path = ways > 0 ? total / static_cast<double>(ways) : 0;
  return is;
}

inline double OverlayRun::correct_neighbours() const {
  std::size_t right = 0;
  std::size_t all = 0;
  for (std::uint32_t i = 0; i < peers_; ++i) {
    const auto descriptor = [](std::uint32_t peer) {
      overlay::Descriptor made{.peer = core::PeerId{peer}};
      made.advert.free_cpus = peer;
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
