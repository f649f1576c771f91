// One peer's agent in one tree: what it holds, whom it serves, whom it asks, and how it moves.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "agents/executor.hpp"
#include "agents/organic_grid/books.hpp"
#include "agents/organic_grid/children.hpp"
#include "agents/organic_grid/departures.hpp"
#include "agents/organic_grid/home.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/moving.hpp"
#include "agents/organic_grid/uplink.hpp"
#include "agents/organic_grid/window.hpp"
#include "agents/task_roll.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents::grid {

// The tree's root has a roll of all tasks and no parent; everybody else a parent, or is an orphan
// looking for one. One re-parenting at a time.
class TreeNode {
 public:
  TreeNode(PeerId root, Home& home);

  void become_root() { roll_.emplace(); }

  // Enters the tree below `parent`.
  void join(Env& env, PeerId parent, const Clone& clone);
  // Peers lost before, who are to be told that the tree lives.
  void miss(PeerId peer) { missing_.insert(peer); }
  void found(PeerId peer) { missing_.erase(peer); }
  // Says to all below that there is no such node any more.
  void dissolve(Env& env);

  [[nodiscard]] PeerId root() const { return root_; }
  [[nodiscard]] PeerId parent() const { return up_.parent; }
  [[nodiscard]] const Children& children() const { return children_; }
  [[nodiscard]] bool attached() const { return roll_ || up_.attached(); }
  // The root is not known to live for so long that no news can be under way. News waits a sign of
  // life or two at every step down.
  [[nodiscard]] bool hopeless(Time now) const;
  // Whom to tell of the end.
  [[nodiscard]] std::vector<PeerId> acquaintances() const { return children_.everybody(); }

  // Work, in tree_work.cpp.
  void arrive(const std::vector<Task>& tasks);
  [[nodiscard]] const Task* next_task() const { return pool_.empty() ? nullptr : &pool_.front(); }
  Task take_task(Env& env);
  // A task of this tree has been executed here, in `took`.
  void executed(Env& env, const Task& task, Duration took);
  // A result that has come here, from wherever.
  void take_result(Env& env, const Result& result);
  // A task whose executor, `from`, is lost to it: it is to be handed out again.
  void reissue(Env& env, const Task& task, PeerId from, std::string_view reason);
  [[nodiscard]] bool has_work() const { return attached() && !pool_.empty(); }
  // Whether a newcomer would be taken.
  [[nodiscard]] bool has_surplus() const {
    return !pool_.empty() && attached() && !moving_ && children_.room(pool_.size());
  }
  // A neighbour asks for work. True when it is a child.
  bool asked(Env& env, PeerId from, std::uint64_t epoch);
  // The flow of work settles after every event: serve children, ask the parent, send results. This
  // peer and its group have so many `hands`, at least one, and are `idle` when all of them are.
  void settle(Env& env, bool idle, std::uint32_t hands);

  // Once every heartbeat.
  void tick(Env& env, bool idle);

  void on(Env& env, PeerId from, const Demand& message);
  void on(Env& env, PeerId from, const Supply& message);
  void on(Env& env, PeerId from, const Results& message);
  void on(Env& env, PeerId from, const Alive& message);
  void on(Env& env, PeerId from, const AliveToo& message);
  void on(Env& env, PeerId from, const Decline& message);
  void on(Env& env, PeerId from, const Stranger& message);
  // Moves, in tree_moves.cpp.
  void on(Env& env, PeerId from, const Offer& message);
  void on(Env& env, PeerId from, const OfferAccepted& message);
  void on(Env& env, PeerId from, const Move& message);
  void on(Env& env, PeerId from, const Evict& message);
  void on(Env& env, PeerId from, const Adopt& message);
  void on(Env& env, PeerId from, const Climb& message);
  void on(Env& env, PeerId from, const Climbed& message);
  void on(Env& env, PeerId from, const Wait& message);
  void on(Env& env, PeerId from, const Accept& message);
  void on(Env& env, PeerId from, const Reject& message);
  void on(Env& env, PeerId from, const Leave& message);
  void on(Env& env, PeerId from, const Settled& message);

 private:
  // What a child says in every message to its parent.
  struct Report {
    std::uint64_t epoch;
    std::uint64_t demanded;
    std::uint64_t received;
  };
  Child* heard(Env& env, PeerId from, const Report& report);
  Child* recognise(Env& env, PeerId from, std::uint64_t epoch);
  void heard_parent(Env& env, std::uint64_t acknowledged, Duration age,
                    const std::vector<PeerId>& ancestors);
  void learn_ancestors(Env& env, const std::vector<PeerId>& ancestors);
  [[nodiscard]] AliveToo sign_of_life(Env& env, const Child& child) const;
  [[nodiscard]] std::vector<PeerId> chain_for_child(PeerId self) const;
  [[nodiscard]] bool in_chain(PeerId peer) const;
  [[nodiscard]] Duration age(Time now) const;
  [[nodiscard]] bool alone() const { return children_.size() == 0 && !departures_.any_open(); }
  void check_children(Env& env);
  void lose(Env& env, const Child& child, std::string_view reason);
  void recall_missing(Env& env);
  void check_parent(Env& env);
  void say_alive(Env& env);

  void serve(Env& env);
  void supply(Env& env, Child& child, std::size_t tasks);
  void demand(Env& env);
  [[nodiscard]] std::uint64_t target(bool idle, std::uint32_t hands) const;
  void flush(Env& env);
  void resend_results(Env& env);
  void hold(const std::vector<Result>& results) {
    held_.insert(held_.begin(), results.begin(), results.end());
  }
  [[nodiscard]] bool holds(TaskId task) const;
  void check_overdue(Env& env, bool idle);

  void offer_best(Env& env);
  void evict_surplus(Env& env);
  void begin_move(Env& env, std::deque<PeerId> candidates, std::string_view reason);
  void try_next(Env& env);
  // The root, or a child of it.
  [[nodiscard]] bool below_root() const { return roll_ || up_.parent == root_; }
  [[nodiscard]] bool may_host(PeerId peer, Time now) const;
  void host(Env& env, PeerId mover, std::uint64_t epoch);
  void attach(Env& env, Uplink stay, std::string_view reason);
  void leave(Env& env);
  void orphan(Env& env, std::string_view reason);
  void seek_parent(Env& env);
  void close(const Child& child, std::uint64_t received);
  void tend_farewells(Env& env);

  const PeerId root_;
  Home& home_;
  std::optional<TaskRoll> roll_;   // at the root only
  std::vector<PeerId> ancestors_;  // the parent first, the root last
  Uplink up_;
  Farewells farewells_;
  std::optional<Moving> moving_;

  Children children_;
  Departures departures_;
  std::uint32_t results_since_offer_ = 0;
  std::set<PeerId> missing_;  // taken for dead; they may only be cut off
  Time recalled_{};

  Books books_;
  std::deque<Task> pool_;
  std::set<TaskId> reissued_;
  std::deque<Result> held_;  // not sent yet
  Window window_;
  double pace_ = 0;  // of the last task executed here
};

}  // namespace rhizome::agents::grid
