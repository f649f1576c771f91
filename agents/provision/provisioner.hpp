// Provisioning: the peer where work enters reserves nodes of the cluster and releases them, as its
// policy decides; a node that starts is a peer that joins, and a drained node is a peer that
// leaves. Every peer has this service, with the same code. The scheduler has to tolerate that peers
// join, and to release drained ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "agents/client.hpp"
#include "agents/provision/facts.hpp"
#include "agents/provision/plan.hpp"
#include "agents/provision/signals.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::provision {

// A node to the reserve: it has started. Messages of a node name its life, because a copy of a
// packet may arrive after a later life has begun.
struct Here {
  static constexpr core::MessageInfo info{"here", core::MessageClass::information,
                                          core::Cause::join};
  std::uint32_t life;
};
// To a node: finish all tasks, and leave. Repeated until it has left.
struct Drain {
  static constexpr core::MessageInfo info{"drain", core::MessageClass::information,
                                          core::Cause::departure};
};
// A node to the reserve: its last message before it leaves.
struct Gone {
  static constexpr core::MessageInfo info{"gone", core::MessageClass::information,
                                          core::Cause::departure};
  std::uint32_t life;
};
// A node to the reserve: it has been idle for its whole probation, or is no longer idle.
struct IdleNode {
  static constexpr core::MessageInfo info{"idle", core::MessageClass::information,
                                          core::Cause::maintenance};
  std::uint32_t life;
  bool idle;
};

struct IntervalDue {};
struct StartDue {
  PeerId node;
};
struct ProbationDue {};

using Env = core::Env<core::OneOf<Here, Drain, Gone, IdleNode>,
                      core::OneOf<IntervalDue, StartDue, ProbationDue>, OwnFacts>;
// The held nodes, at the peer where work enters.
class Reserve {
 public:
  explicit Reserve(const NodePlan& plan) : plan_(plan), cluster_(plan.cluster_nodes, plan.others) {}

  void start(Env& env);
  void on(Env& env, const IntervalDue&);
  void on(Env& env, const StartDue& due);
  void on(const ClusterSeen& seen) { cluster_.see({seen.idle, seen.required, seen.waited}); }
  void on(Env& env, const NodeReady& ready);
  void on(Env& env, PeerId from, const Here&);
  void on(Env& env, PeerId from, const Gone&);
  void on(Env& env, PeerId from, const IdleNode& message);
  void arrives(const Job& job);
  void done(TaskId task);
  // All tasks are done: it reserves and drains no more nodes.
  void end(Env& env);
  // Nodes that work or start. A draining node does not count, but costs until it has left.
  [[nodiscard]] std::uint32_t reserved() const;

 private:
  enum class State : std::uint8_t { starts, works, drains };
  struct HeldNode {
    State state = State::starts;
    core::TimerId start{};
    std::uint64_t turn = 0;            // in which it was reserved
    std::uint32_t life = 0;            // of the node, once it works
    std::optional<Time> idle_since{};  // the end of its probation
  };
  struct Progress {
    std::uint64_t tasks = 0;
    std::set<std::uint32_t> done{};
  };
  // Null if the message is of a former life.
  [[nodiscard]] HeldNode* find(PeerId node, std::uint32_t life);
  void decide(Env& env);
  void add(Env& env);
  void drain(Env& env);
  [[nodiscard]] Situation situation() const;
  void tell_waits(Env& env);

  const NodePlan& plan_;
  Cluster cluster_;
  std::map<PeerId, HeldNode> held_;
  std::map<PeerId, std::uint32_t> ended_;   // the last life of nodes that have left
  std::map<std::uint32_t, Progress> jobs_;  // under way
  std::uint64_t turns_ = 0;
  core::TimerId interval_{};
};

class Provisioner {
 public:
  using Messages = core::OneOf<Here, Drain, Gone, IdleNode>;
  using Env = provision::Env;
  using Hears = core::OneOf<Finished, Drained, Vacated, Resting>;
  using Inputs = core::OneOf<JobArrives, ClusterSeen, NodeReady, NodeLost>;
  static constexpr std::string_view name = "provision";

  // The plan outlives it. Work enters at `source`; a peer that is neither the source nor a node
  // does nothing.
  Provisioner(PeerId self, PeerId source, const NodePlan& plan);

  template <class M>
  [[nodiscard]] bool believes(PeerId from, const M&) const {
    constexpr bool to_node = std::is_same_v<M, Drain>;
    return to_node ? node_ && from == source_ : reserve_ && is_node(from);
  }
  void start(Env& env);
  void on(Env& env, const JobArrives& arrival);
  void on(Env& env, const ClusterSeen& seen);
  void on(Env& env, const NodeReady& ready);
  void on(Env& env, const NodeLost& lost);
  void on(Env& env, const Finished& finished);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const Vacated& vacated);
  void on(Env& env, const Resting& resting);
  void on(Env& env, const IntervalDue& due);
  void on(Env& env, const StartDue& due);
  void on(Env& env, const ProbationDue& due);
  void on(Env& env, PeerId from, const Here& message);
  void on(Env& env, PeerId from, const Gone& message);
  void on(Env& env, PeerId from, const IdleNode& message);
  void on(Env& env, PeerId from, const Drain& message);

 private:
  [[nodiscard]] bool is_node(PeerId peer) const {
    return std::find(plan_.nodes.begin(), plan_.nodes.end(), peer) != plan_.nodes.end();
  }

  const PeerId source_;
  const NodePlan& plan_;
  bool node_ = false;
  std::optional<Reserve> reserve_;
  bool draining_ = false;
  core::TimerId probation_{};
  bool told_idle_ = false;
};

}  // namespace rhizome::agents::provision
