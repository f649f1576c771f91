// What provisioning notes, at the peer where work enters: which nodes are held from when until
// when, what each decision was made of, and how long other users waited.
#pragma once

#include <cstdint>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

struct NodeReserved {
  static constexpr core::FactInfo info{
      "node-reserved", "The cluster has given this node, which starts, or is there already.",
      "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeReserved&, const NodeReserved&) = default;
};
struct NodeDrains {
  static constexpr core::FactInfo info{"node-drains",
                                       "The node is asked to finish what it has, and to leave.",
                                       "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeDrains&, const NodeDrains&) = default;
};
struct NodeReleased {
  static constexpr core::FactInfo info{
      "node-released", "The node has left, or never started, and the cluster has it back.",
      "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeReleased&, const NodeReleased&) = default;
};
struct IndexRead {
  static constexpr core::FactInfo info{
      "index-read", "What the nodes that are wanted are judged by, and how many more they are.",
      "goal: nodes that are wanted for what is left | demand: the goal without those that are held "
      "| queue: nodes that the top of the cluster's queue lacks, times how long it has waited | "
      "nodes_index: demand without queue: above 0, nodes are wanted | reserved: nodes that are "
      "held, without those that drain | change: nodes to add; below 0: to give back"};
  static constexpr bool seldom = true;
  double goal = 0;
  double demand = 0;
  double queue = 0;
  double index = 0;
  std::uint32_t reserved = 0;
  double change = 0;  // a whole number
  friend bool operator==(const IndexRead&, const IndexRead&) = default;
};
struct OtherJobBegan {
  static constexpr core::FactInfo info{"other-job-began",
                                       "A job of another user of the cluster has begun.",
                                       "waited: from its submission to its begin"};
  static constexpr bool seldom = true;
  core::Duration waited{0};
  friend bool operator==(const OtherJobBegan&, const OtherJobBegan&) = default;
};

}  // namespace rhizome::agents::provision
