// Facts of provisioning, at the peer where work enters: reservations and releases of nodes, deaths
// of their workers, the input of each decision, and the waiting times of other users.
#pragma once

#include <cstdint>

#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::provision {

using core::operator==;

struct NodeReserved {
  static constexpr core::FactInfo info{
      "node-reserved", "The cluster has lent this node, which starts, or is there at the start.",
      "node: which peer it is, from 0", core::Noted::seldom};
  core::PeerId node;
};
struct NodeDrains {
  static constexpr core::FactInfo info{"node-drains",
                                       "The node is asked to finish its tasks and to leave.",
                                       "node: which peer it is, from 0", core::Noted::seldom};
  core::PeerId node;
};
struct NodeReleased {
  static constexpr core::FactInfo info{
      "node-released", "The node has left, or never started, and belongs to the cluster again.",
      "node: which peer it is, from 0", core::Noted::seldom};
  core::PeerId node;
};
struct NodeDied {
  static constexpr core::FactInfo info{
      "node-died", "The worker of a real node has died, and another one is begun for the node.",
      "node: which peer it is, from 0 | tasks: that the worker had, and which are begun again"};
  static constexpr bool seldom = true;
  core::PeerId node;
  std::uint32_t tasks = 0;
  friend bool operator==(const NodeDied&, const NodeDied&) = default;
};
struct IndexRead {
  static constexpr core::FactInfo info{
      "index-read", "The input of a decision and the change that it asks for.",
      "goal: wanted nodes for the unfinished tasks | demand: goal minus reserved | queue: nodes "
      "that "
      "the top job of the cluster's queue lacks, times its waiting time | nodes_index: demand "
      "minus "
      "queue: above 0, nodes are wanted | reserved: held nodes without those that drain | change: "
      "nodes to add; below 0: to release",
      core::Noted::seldom};
  double goal = 0;
  double demand = 0;
  double queue = 0;
  double index = 0;
  std::uint32_t reserved = 0;
  double change = 0;  // a whole number
};
struct OtherJobBegan {
  static constexpr core::FactInfo info{
      "other-job-began", "A job of another user of the cluster has begun.",
      "waited: from its submission to its begin", core::Noted::seldom};
  core::Duration waited{0};
};

using OwnFacts =
    core::OneOf<NodeReserved, NodeDrains, NodeReleased, NodeDied, IndexRead, OtherJobBegan>;

}  // namespace rhizome::agents::provision
