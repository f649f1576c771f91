// Provisioning: the peer where work enters reserves nodes of the cluster and gives them back, as
// its policy says; a node that starts is a peer that joins, and one that has been drained leaves.
// One service of every peer: same code, different action. Whatever the scheduler is, it only has to
// bear that peers come, and to let them go when they are drained.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "agents/client.hpp"
#include "agents/provision/facts.hpp"
#include "agents/provision/plan.hpp"
#include "agents/provision/signals.hpp"
#include "core/peer/env.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::provision {

using core::PeerId;
using core::Time;

// A node to the reserve: it has started.
struct Here {
  static constexpr core::MessageInfo info{"here", core::MessageClass::information,
                                          core::Cause::join};
};
// To a node: finish what you have, and leave. Again, until it has left.
struct Drain {
  static constexpr core::MessageInfo info{"drain", core::MessageClass::information,
                                          core::Cause::departure};
};
// A node to the reserve, and its last word.
struct Gone {
  static constexpr core::MessageInfo info{"gone", core::MessageClass::information,
                                          core::Cause::departure};
};
// A node to the reserve: it has been idle for as long as its probation, or is no more.
struct Idle {
  static constexpr core::MessageInfo info{"idle", core::MessageClass::information,
                                          core::Cause::maintenance};
  bool idle;
};

struct IntervalDue {};
struct StartDue {
  PeerId node;
};
struct ProbationDue {};

using Env =
    core::Env<core::OneOf<Here, Drain, Gone, Idle>,
              core::OneOf<IntervalDue, StartDue, ProbationDue>,
              core::OneOf<NodeReserved, NodeDrains, NodeReleased, IndexRead, OtherJobBegan>>;
// Of the peer where work enters: which nodes are held.
class Reserve {
 public:
  explicit Reserve(const Plan& plan) : plan_(plan), cluster_(plan.cluster_nodes, plan.others) {}

  void start(Env& env);
  void on(Env& env, const IntervalDue&);
  void on(Env& env, const StartDue& due);
  void on(Env& env, PeerId from, const Here&);
  void on(Env& env, PeerId from, const Gone&);
  void on(Env& env, PeerId from, const Idle& message);
  void arrives(const Job& job);
  void done(TaskId task);
  // All is done: nothing is reserved any more, and nobody asked to leave.
  void end(Env& env);
  // Nodes that work or start; what drains is given up already, and paid for until it has left.
  [[nodiscard]] std::uint32_t reserved() const;
  [[nodiscard]] bool has(PeerId node) const { return held_.contains(node); }

 private:
  enum class State : std::uint8_t { starts, works, drains };
  struct Held {
    State state = State::starts;
    core::TimerId start{};
    std::uint64_t turn = 0;            // in which it was reserved
    std::optional<Time> idle_since{};  // its probation is over
  };
  struct Progress {
    std::uint64_t tasks = 0;
    std::set<std::uint32_t> done{};
  };
  void decide(Env& env);
  void add(Env& env);
  void drain(Env& env);
  [[nodiscard]] Situation situation() const;
  void tell_waits(Env& env);

  const Plan& plan_;
  Cluster cluster_;
  std::map<PeerId, Held> held_;
  std::map<std::uint32_t, Progress> jobs_;  // under way
  std::uint64_t turns_ = 0;
  core::TimerId interval_{};
};

class Provisioner {
 public:
  using Messages = core::OneOf<Here, Drain, Gone, Idle>;
  using Env = provision::Env;
  using Hears = core::OneOf<Finished, Drained, Vacated, Resting>;
  using Inputs = core::OneOf<JobArrives>;
  static constexpr std::string_view name = "provision";

  // The plan outlives it. Work enters at `source`; who is no node has nothing to do.
  Provisioner(PeerId self, PeerId source, const Plan& plan);

  template <class M>
  [[nodiscard]] bool believes(PeerId from, const M&) const {
    constexpr bool to_node = std::is_same_v<M, Drain>;
    return to_node ? from == source_ : reserve_ && reserve_->has(from);
  }
  void start(Env& env);
  void on(Env& env, const JobArrives& arrival);
  void on(Env& env, const Finished& finished);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const Vacated& vacated);
  void on(Env& env, const Resting& resting);
  void on(Env& env, const IntervalDue& due);
  void on(Env& env, const StartDue& due);
  void on(Env& env, const ProbationDue& due);
  void on(Env& env, PeerId from, const Here& message);
  void on(Env& env, PeerId from, const Gone& message);
  void on(Env& env, PeerId from, const Idle& message);
  void on(Env& env, PeerId from, const Drain& message);

 private:
  const PeerId source_;
  const Plan& plan_;
  bool node_ = false;
  std::optional<Reserve> reserve_;
  bool draining_ = false;
  core::TimerId probation_{};
  bool told_idle_ = false;
};

}  // namespace rhizome::agents::provision
