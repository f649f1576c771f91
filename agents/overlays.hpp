// Cyclon, and T-Man on it if asked, as scenarios describe them: for schedulers and protocols that
// run overlays by themselves, to be measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agents/scheduler.hpp"
#include "core/peer/peer.hpp"
#include "core/peer/setting.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/ranking.hpp"
#include "overlay/t_man.hpp"

namespace rhizome::agents {

enum class Topology : std::uint8_t { random, ring, gradient, last = gradient };

struct OverlayOptions {
  Topology topology = Topology::random;
  std::uint32_t cycles = 100;
  std::uint32_t warm_up = 20;
  std::uint32_t view_size = 10;
  std::uint32_t shuffle_length = 5;
  std::uint32_t similar_size = 10;
  std::uint32_t similar_best = 5;
  std::uint32_t shuffles_per_exchange = 1;
  core::Duration period = std::chrono::milliseconds(250);
};

[[nodiscard]] core::Settings<OverlayOptions> overlay_settings();
// Why there can be no such overlays, as a sentence; empty if there can.
[[nodiscard]] std::string overlay_refusal(const OverlayOptions& options, const World& world);

// Those of one peer, which live as long as the peer.
struct Overlays {
  const overlay::Cyclon& random;
  const overlay::TMan* similar;  // null where T-Man is not asked for
};
[[nodiscard]] Overlays add_overlays(core::Peer& peer, const OverlayOptions& options,
                                    const World& world);

// What a peer says of itself, and how T-Man ranks what it says.
[[nodiscard]] overlay::Descriptor described(std::uint32_t peer);
[[nodiscard]] overlay::Ranking ranking_of(const OverlayOptions& options, const World& world);
// How long T-Man remembers a peer of which no news comes.
[[nodiscard]] core::Duration forget_after(const OverlayOptions& options, const World& world);

}  // namespace rhizome::agents
