// What a tree and its moves amount to: order by speed, unrest, time to settle, and its price.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/tree/tree.hpp"

namespace rhizome::scenarios {

struct DepthSpeed {
  std::uint32_t depth = 0;
  std::size_t peers = 0;
  double mean_speed = 0;
};

// After a crash: the last move that it caused, and whether the tree came to rest at all before the
// next crash or the end.
struct Settling {
  Time crash{};
  core::PeerId peer;
  std::size_t moves = 0;  // up to the next crash, for whatever reason but promotion and joining
  Duration took{0};       // from the crash to the last of them
};

struct TreeMeasures {
  std::vector<DepthSpeed> by_depth;
  std::optional<double> correlation;         // of speed and depth; see speed_depth_correlation
  std::map<std::string, std::size_t> moves;  // by reason, up to that time
  double minutes = 0;                        // emulated, up to that time
  std::vector<Settling> settlings;
  // Messages for joining, promotion, eviction, leaving, merging, splitting and election, in the
  // whole run, over all moves of the run.
  double messages_per_move = 0;
};

[[nodiscard]] TreeMeasures measure_tree(const Outcome& outcome, Time at);

}  // namespace rhizome::scenarios
