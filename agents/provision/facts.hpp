// Facts of provisioning, at the peer where work enters: reservations and releases of nodes, the
// input of each decision, and the waiting times of other users.
#pragma once

#include <cstdint>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

struct NodeReserved {
  static constexpr core::FactInfo info{
      "node-reserved", "The cluster has lent this node, which starts, or is there at the start.",
      "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeReserved&, const NodeReserved&) = default;
};
struct NodeDrains {
  static constexpr core::FactInfo info{"node-drains",
                                       "The node is asked to finish its tasks and to leave.",
                                       "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeDrains&, const NodeDrains&) = default;
};
struct NodeReleased {
  static constexpr core::FactInfo info{
      "node-released", "The node has left, or never started, and belongs to the cluster again.",
      "node: which peer it is, from 0"};
  static constexpr bool seldom = true;
  core::PeerId node;
  friend bool operator==(const NodeReleased&, const NodeReleased&) = default;
};
struct IndexRead {
  static constexpr core::FactInfo info{
      "index-read", "The input of a decision and the change that it asks for.",
      "goal: wanted nodes for the unfinished tasks | demand: goal minus reserved | queue: nodes "
      "that "
      "the top job of the cluster's queue lacks, times its waiting time | nodes_index: demand "
      "minus "
      "queue: above 0, nodes are wanted | reserved: held nodes without those that drain | change: "
      "nodes to add; below 0: to release"};
  static constexpr bool seldom = true;
  double goal = 0;
  double demand = 0;
  double queue = 0;
  double index = 0;
  std::uint32_t reserved = 0;
  double change = 0;  // an integer
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

using OwnFacts = core::OneOf<NodeReserved, NodeDrains, NodeReleased, IndexRead, OtherJobBegan>;

}  // namespace rhizome::agents::provision
