// One peer's agent in one tree: its parts, and the messages of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "agents/organic_grid/home.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/tree/child_ranking.hpp"
#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/forwarding.hpp"
#include "agents/organic_grid/tree/hosting.hpp"
#include "agents/organic_grid/tree/inquiries.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/missing.hpp"
#include "agents/organic_grid/tree/moves.hpp"
#include "agents/organic_grid/tree/parent_lease.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/trail.hpp"
#include "agents/organic_grid/tree/upstream.hpp"
#include "agents/organic_grid/tree/window.hpp"
#include "agents/routing.hpp"

namespace rhizome::agents::grid {

// The tree's root has the set of all tasks and no parent. Every other node has a parent, or is an
// orphan that looks for one. A TreeNode is never moved in memory, for its parts refer to each
// other.
class TreeNode {
 public:
  using Messages = core::Joined<Upstream::Messages, Downstream::Messages, Moves::Messages,
                                Hosting::Messages, ChildRanking::Messages, ParentLease::Messages,
                                Inquiries::Messages, Forwarding::Messages>;

  TreeNode(PeerId root, Home& home);
  TreeNode(const TreeNode&) = delete;
  TreeNode& operator=(const TreeNode&) = delete;

  void become_root() { lineage_.become_root(); }

  // Enters the tree below `parent`.
  void join(Env& env, PeerId parent, const Clone& clone);
  // A peer that was lost before, to be told that the tree lives.
  void miss(PeerId peer) { missing_.add(peer); }
  // The peer is leaving: asks for no more tasks.
  void drain(Env& env) { up_.want_no_more(env); }
  // The peer is leaving and idle: leaves its parent once no task of the tree is here or below, and
  // tells the root where the tasks that came by here went. True once both are confirmed.
  [[nodiscard]] bool part(Env& env);
  // Says to all below that there is no such node any more.
  void dissolve(Env& env);

  [[nodiscard]] PeerId root() const { return lineage_.root(); }
  [[nodiscard]] PeerId parent() const { return up_.parent(); }
  [[nodiscard]] const Children& children() const { return down_.children(); }
  // Whether this node is the root, or has a parent.
  [[nodiscard]] bool attached() const { return up_.rooted(); }
  [[nodiscard]] bool hopeless(Time now) const { return lineage_.hopeless(now); }
  // The peers to tell of the end.
  [[nodiscard]] std::vector<PeerId> acquaintances() const { return down_.children().all(); }

  // Tasks that were submitted at the root.
  void arrive(const std::vector<Task>& tasks) { stock_.enter(tasks); }
  [[nodiscard]] const Task* next_task() const { return stock_.next(); }
  // Tasks that lie here; the first that asks takes them.
  [[nodiscard]] std::size_t waiting() const { return stock_.empty() ? 0 : stock_.size(); }
  Task take_task(Env& env) { return stock_.take(env); }
  // Tasks that this peer prefetches for itself beyond those that its processors have.
  [[nodiscard]] std::uint32_t window() const {
    return home_.options.prefetch && !window_.closed() ? window_.tasks() : 0;
  }
  // A task of this tree has been executed here, and had so much service.
  void executed(Env& env, const Task& task, Duration service);
  // A result that has come here, from wherever.
  void take_result(Env& env, const Result& result) { stock_.take_result(env, result); }
  // Hands a task out again whose executor `from` is lost.
  void reissue(Env& env, const Task& task, PeerId from, std::string_view reason) {
    stock_.reissue(env, task, from, reason);
  }
  [[nodiscard]] bool has_work() const { return up_.rooted() && !stock_.empty(); }
  [[nodiscard]] bool has_surplus() const { return hosting_.has_surplus(); }
  // A neighbour asks for work. True when it is a child.
  bool asked(Env& env, PeerId from, std::uint64_t epoch) {
    return hosting_.asked(env, from, epoch);
  }

  // What this peer does besides its executions. `hands`: one for this peer and one for each
  // processor of its group. `idle`: neither it nor its group has anything to do. `ahead`: how many
  // tasks are at its server beyond one for each processor. `begged`: other peers may have asked for
  // work when there was none.
  struct Standing {
    bool idle;
    std::uint32_t hands;
    std::size_t ahead;
    bool begged;
  };
  // The flow of work settles after every event: serve children, ask the parent, send results.
  void settle(Env& env, const Standing& peer);
  // Called every heartbeat.
  void tick(Env& env, bool idle);

  // A peer that speaks is not missing.
  template <core::one_of<Messages> M>
  void on(Env& env, PeerId from, const M& message) {
    missing_.found(from);
    const auto hand = [&](auto& part) { part.on(env, from, message); };
    route(message, hand, &up_, &down_, &moves_, &hosting_, &ranking_, &parent_lease_, &inquiries_,
          &forwarding_);
  }

 private:
  [[nodiscard]] std::uint64_t target(const Standing& peer) const;

  Home& home_;
  bool parted_ = false;  // for good
  Lineage lineage_;
  Missing missing_;
  Trail trail_;
  Upstream up_;
  Stock stock_;
  Downstream down_;
  Moves moves_;
  Hosting hosting_;
  ChildRanking ranking_;
  ParentLease parent_lease_;
  Window window_;
  Forwarding forwarding_;
  Inquiries inquiries_;
};

}  // namespace rhizome::agents::grid
