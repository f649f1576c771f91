// The screens of the monitor in a terminal: what is known of a run goes in, and a grid comes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/grid.hpp"
#include "tools/monitor/marks.hpp"

namespace rhizome::tools {

enum class Tab : std::uint8_t { all, peers, events, help, last = help };

// By what peers are ordered: the largest first, but for their addresses.
enum class PeerOrder : std::uint8_t {
  sent,
  received,
  inbox,
  running,
  late,
  address,
  last = address
};

// How somebody looks at it.
struct View {
  Tab tab = Tab::all;
  Script script = Script::unicode;
  PeerOrder order = PeerOrder::sent;
  std::size_t first = 0;             // of a list, the line that is shown first
  std::vector<core::PeerId> held{};  // peers in the order to be kept; empty: as they are now
  std::string standing = "live";     // how the run and the monitor are to each other
};

// The least that a screen needs.
inline constexpr Size least_size{60, 16};

[[nodiscard]] Grid screen(const scenarios::live::State& state,
                          const scenarios::live::Welcome& welcome, const View& view, Size size);

// All peers in that order; equals by address.
[[nodiscard]] std::vector<core::PeerId> ordered_peers(const scenarios::live::State& state,
                                                      PeerOrder order);

}  // namespace rhizome::tools
