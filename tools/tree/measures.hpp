// What a tree and its moves amount to: order by speed, unrest, time to settle, and its price.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/tree.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct DepthSpeed {
  std::uint32_t depth = 0;
  std::size_t peers = 0;
  double mean_speed = 0;
};

// What a crash did to the children of its peer, including any that attached before they knew. A
// move of an orphan is caused by the crash until it has a living parent again; no other is.
struct Settling {
  Time crash{};
  core::PeerId peer;
  std::size_t orphans = 0;  // children it left behind
  std::size_t moves = 0;    // of theirs: away from it, and to other parents
  std::size_t waiting = 0;  // orphans alive without a living parent at the time asked for
  Duration took{0};         // from the crash to the last of the moves
};

struct TreeMeasures {
  std::vector<DepthSpeed> by_depth;
  std::optional<double> correlation;         // of speed and depth; see speed_depth_correlation
  std::size_t placed = 0;                    // peers that began where the layout put them
  std::map<std::string, std::size_t> moves;  // all others by reason, up to that time
  double minutes = 0;                        // emulated, up to that time
  std::vector<Settling> settlings;           // in order of time
  // Messages for joining, promotion, eviction, leaving, merging, splitting and election, in the
  // whole run, over all moves of the run; nothing where nobody moved.
  std::optional<double> messages_per_move;
};

// One for each crash up to that time.
[[nodiscard]] std::vector<Settling> settlings_of(const Outcome& outcome, Time at);

[[nodiscard]] TreeMeasures measure_tree(const Outcome& outcome, Time at);

}  // namespace rhizome::tools
