// An agent of the Organic Grid in the middle of its tree: below the root, with children of its own.
#pragma once

#include <vector>

#include "test/support/grid_peer.hpp"

// A namespace of its own, because tests of other protocols also have a `third` and a `stranger`.
namespace rhizome::test::family {

// The peers that it deals with, besides the root.
inline constexpr core::PeerId child{2};
inline constexpr core::PeerId sibling{3};
inline constexpr core::PeerId third{4};
inline constexpr core::PeerId stranger{5};

inline const agents::World& family_world() {
  static const agents::World made = small_world({.jobs = 8, .portions = 18, .peers = 8});
  return made;
}

inline grid::Options nimble(std::uint32_t children = 5) {
  grid::Options options;
  options.burst = 1;
  options.metric_window = 1;  // the second burst makes a child active
  options.max_children = children;
  return options;
}

// A child of the root with work to give, and children of its own.
inline GridPeer parent_of(std::vector<core::PeerId> children,
                          const grid::Options& options = nimble()) {
  GridPeer peer = joined(family_world(), options);
  peer.deliver(root, supply(tasks(0, 6)));
  for (const core::PeerId id : children) take_on(peer, id);
  peer.forget();
  return peer;
}

}  // namespace rhizome::test::family
