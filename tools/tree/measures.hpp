// Measures of a tree and its moves: order by speed, number of moves, time to settle, and cost in
// messages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/outcome/tree.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct DepthSpeed {
  std::uint32_t depth = 0;
  std::size_t peers = 0;
  double mean_speed = 0;
};

// The effects of a crash on the children of the crashed peer, including children that attached
// before they knew of the crash. A move of an orphan is attributed to the crash until the orphan
// has a living parent again; other moves are not.
struct Settling {
  Time crash{};
  core::PeerId peer;
  std::size_t orphans = 0;  // children of the crashed peer
  std::size_t moves = 0;    // moves of orphans: away from it, and to other parents
  std::size_t waiting = 0;  // living orphans without a living parent at the time asked for
  Duration took{0};         // from the crash to the last of the moves
};

struct TreeMeasures {
  std::vector<DepthSpeed> by_depth;
  std::optional<double> correlation;           // of speed and depth; see speed_depth_correlation
  std::size_t placed = 0;                      // peers that the layout placed at the start
  std::map<std::string, std::size_t> moves{};  // other moves by reason, up to the time asked for
  double minutes = 0;                          // emulated, up to that time
  std::vector<Settling> settlings;             // in order of time
  // Messages for joining, promotion, eviction, leaving, merging, splitting and election, over all
  // moves, both in the whole run; none if no peer moved.
  std::optional<double> messages_per_move;
};

// One result for each crash until `at`.
[[nodiscard]] std::vector<Settling> settlings_of(const Outcome& outcome, Time at);

[[nodiscard]] TreeMeasures measure_tree(const Outcome& outcome, Time at);

// How long peers stood at which depth of the tree.
// The share of the run that a peer spent at each depth; no depth: outside of the tree. Sums to 1.
using Sojourns = std::map<std::optional<std::uint32_t>, double>;

// By peer.
[[nodiscard]] std::vector<Sojourns> sojourns_of(const Outcome& outcome);

}  // namespace rhizome::tools
