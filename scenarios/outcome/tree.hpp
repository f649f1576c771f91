// The structure of a run as a tree at one time: parents and children of an Organic Grid, or queue,
// leaders and workers of Air Traffic Control. It is made from facts, so it is known for any stored
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

struct Tree {
  core::PeerId root = core::no_peer;
  std::vector<core::PeerId> parent;  // by peer; core::no_peer for the root and outsiders
  std::vector<std::optional<std::uint32_t>> depth;  // by peer; nothing for outsiders
  std::vector<std::vector<core::PeerId>> children;  // by peer, ascending

  [[nodiscard]] std::size_t members() const;
  [[nodiscard]] std::uint32_t height() const;  // the largest depth
};

// One move in the tree.
struct TreeMove {
  Time at{};
  core::PeerId peer;
  core::PeerId from = core::no_peer;
  core::PeerId to = core::no_peer;
  std::string reason;
};

// Where work enters the run: the peer that submitted most tasks.
[[nodiscard]] core::PeerId source_of(const Outcome& outcome);

// Every move up to and including `until`, in order of time. The dissolution at the end is not a
// move. Crashed peers leave the tree.
[[nodiscard]] std::vector<TreeMove> moves_until(const Outcome& outcome, Time until);

// The tree in which each peer has the given parent, or none for core::no_peer.
[[nodiscard]] Tree tree_of(core::PeerId root, std::vector<core::PeerId> parents);

// The tree after the moves up to `at`; Time::max() for the last tree before the end of the run
// dissolved it. A peer whose chain does not reach the root is an outsider.
[[nodiscard]] Tree tree_at(const Outcome& outcome, Time at);

// Spearman's rank correlation of two equally long lists, ties sharing their mean rank; nothing
// where one of them does not vary.
[[nodiscard]] std::optional<double> rank_correlation(const std::vector<double>& a,
                                                     const std::vector<double>& b);

// The rank correlation of the speed and the depth of members other than the root: below 0 when fast
// peers are nearer to the root.
[[nodiscard]] std::optional<double> speed_depth_correlation(const Outcome& outcome,
                                                            const Tree& tree);

}  // namespace rhizome::scenarios
