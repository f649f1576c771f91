// The structure of a run as a tree at one time: parents and children of an Organic Grid, or queue,
// leaders and workers of Air Traffic Control. Read from facts, so any stored run has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

struct Tree {
  core::PeerId root = core::nobody;
  std::vector<core::PeerId> parent;                 // by peer; nobody for the root and outsiders
  std::vector<std::optional<std::uint32_t>> depth;  // by peer; nothing for outsiders
  std::vector<std::vector<core::PeerId>> children;  // by peer, ascending

  [[nodiscard]] std::size_t members() const;
  [[nodiscard]] std::uint32_t height() const;  // the largest depth
};

// One move in the tree.
struct TreeMove {
  Time at{};
  core::PeerId peer;
  core::PeerId from = core::nobody;
  core::PeerId to = core::nobody;
  std::string reason;
};

// Where work enters the run: the peer that submitted most tasks.
[[nodiscard]] core::PeerId source_of(const Outcome& outcome);

// Every move up to and including `until`, in order of time; the dissolution at the end is none.
// Crashed peers leave the tree.
[[nodiscard]] std::vector<TreeMove> moves_until(const Outcome& outcome, Time until);

// The tree in which each peer has that parent, or nobody.
[[nodiscard]] Tree tree_of(core::PeerId root, std::vector<core::PeerId> parents);

// The tree that stood after the moves up to `at`; Time::max() for the last one before the end
// dissolved it. A peer whose chain does not reach the root is an outsider.
[[nodiscard]] Tree tree_at(const Outcome& outcome, Time at);

// Spearman's rank correlation of two equally long lists, ties sharing their mean rank; nothing
// where one of them does not vary.
[[nodiscard]] std::optional<double> rank_correlation(const std::vector<double>& a,
                                                     const std::vector<double>& b);

// Of the speed and the depth of members other than the root: below 0 when fast peers are nearer.
[[nodiscard]] std::optional<double> speed_depth_correlation(const Outcome& outcome,
                                                            const Tree& tree);

}  // namespace rhizome::scenarios
