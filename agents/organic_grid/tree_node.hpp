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
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/source.hpp"
#include "core/peer/env.hpp"

namespace rhizome::agents {
class OrganicGrid;
}

namespace rhizome::agents::grid {

using Env = core::Env<OrganicGrid>;

// The tree's root has a source and no parent; everybody else a parent, or is an orphan looking for
// one. One re-parenting at a time.
class TreeNode {
 public:
  TreeNode(PeerId root, const Options& options, std::vector<PeerId> neighbours);

  // Becomes the root, with these jobs to come.
  void become_root(Source source) { source_.emplace(std::move(source)); }
  // Enters the tree below `parent`.
  void join(Env& env, PeerId parent, const std::vector<PeerId>& ancestors);

  [[nodiscard]] PeerId root() const { return root_; }
  [[nodiscard]] PeerId parent() const { return parent_; }
  [[nodiscard]] const Children& children() const { return children_; }
  [[nodiscard]] bool attached() const { return source_ || parent_ != core::nobody; }
  [[nodiscard]] bool finished() const { return source_ && source_->all_done(); }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // Whom to tell of the end.
  [[nodiscard]] std::vector<PeerId> acquaintances() const;

  // Work.
  void arrive(Env& env, const Job& job);
  [[nodiscard]] const Task* next_task() const { return pool_.empty() ? nullptr : &pool_.front(); }
  Task take_task(Env& env);
  void executed(Env& env, const Task& task);
  // A result that has come here, from wherever.
  void take_result(Env& env, const Result& result);
  // A task whose executor, `from`, is lost to it: it is to be handed out again.
  void reissue(Env& env, const Task& task, PeerId from, std::string_view reason);
  // A neighbour asks for work. True when it was taken as a child.
  bool asked(Env& env, PeerId from);
  [[nodiscard]] bool has_work() const { return attached() && !pool_.empty(); }
  // Whether a newcomer would be taken.
  [[nodiscard]] bool has_surplus() const {
    return !pool_.empty() && attached() && !moving_ && children_.room(pool_.size());
  }

  // Once every heartbeat.
  void tick(Env& env, bool idle);

  void on(Env& env, PeerId from, const Demand& message);
  void on(Env& env, PeerId from, const Supply& message);
  void on(Env& env, PeerId from, const Results& message);
  void on(Env& env, PeerId from, const Alive& message);
  void on(Env& env, PeerId from, const AliveToo& message);
  void on(Env& env, PeerId from, const Offer& message);
  void on(Env& env, PeerId from, const OfferAccepted& message);
  void on(Env& env, PeerId from, const Move& message);
  void on(Env& env, PeerId from, const Evict& message);
  void on(Env& env, PeerId from, const Adopt& message);
  void on(Env& env, PeerId from, const Accept& message);
  void on(Env& env, PeerId from, const Reject& message);
  void on(Env& env, PeerId from, const Leave& message);
  void on(Env& env, PeerId from, const Stranger& message);

  // The flow of work settles after every event: serve children, ask the parent, send results. This
  // peer and its group have so many `hands`, at least one, and are `idle` when all of them are.
  void settle(Env& env, bool idle, std::uint32_t hands);

 private:
  // A re-parenting under way: whom we have asked, and whom to ask next.
  struct Moving {
    std::deque<PeerId> candidates;
    PeerId asked = core::nobody;
    Time since{};
    std::string_view reason;
    std::set<PeerId> tried{};
  };

  // Work, in tree_node.cpp.
  Child* heard(Env& env, PeerId from, std::uint32_t epoch, std::uint64_t demanded);
  void heard_parent(Env& env, const std::vector<PeerId>& ancestors);
  void serve(Env& env);
  void supply(Env& env, Child& child, std::size_t tasks);
  void demand(Env& env);
  [[nodiscard]] std::uint64_t target(bool idle, std::uint32_t hands) const;
  void flush(Env& env);
  void resend(Env& env);
  void acknowledge(std::uint64_t results);
  void leave_limbo(std::uint64_t acknowledged);
  void learn_ancestors(Env& env, const std::vector<PeerId>& ancestors);
  void note_pace(Env& env);
  void check_children(Env& env);
  void check_overdue(Env& env, bool idle);
  [[nodiscard]] std::vector<PeerId> chain_for_child(PeerId self) const;
  [[nodiscard]] bool in_chain(PeerId peer) const;
  [[nodiscard]] bool holds(const Result& result) const;

  // Moves, in tree_moves.cpp.
  void offer_best(Env& env);
  void evict_surplus(Env& env);
  void begin_move(Env& env, std::deque<PeerId> candidates, std::string_view reason);
  void try_next(Env& env);
  void attach(Env& env, PeerId parent, const std::vector<PeerId>& ancestors,
              std::string_view reason);
  void orphan(Env& env, std::string_view reason);
  void check_parent(Env& env);

  const PeerId root_;
  const Options& options_;
  const std::vector<PeerId> neighbours_;
  std::optional<Source> source_;  // at the root only

  // Upward.
  PeerId parent_ = core::nobody;
  PeerId last_parent_ = core::nobody;  // also while an orphan
  std::vector<PeerId> ancestors_;      // the parent first, the root last
  std::uint32_t epoch_ = 0;
  std::uint64_t demanded_ = 0;  // in this epoch
  std::uint64_t received_ = 0;
  std::uint64_t announced_ = 0;  // of demanded_, what the parent was told
  std::deque<Result> held_;      // not sent yet
  std::deque<Result> unacknowledged_;
  std::uint64_t acknowledged_ = 0;  // results of this epoch that the parent has
  // Results sent to a former parent that may or may not have them: it says so when we leave.
  struct Limbo {
    PeerId parent = core::nobody;
    std::uint32_t epoch = 0;
    std::uint64_t acknowledged = 0;
    Time since{};
    std::deque<Result> results{};
  };
  Limbo limbo_;
  Time last_heard_{};
  Time last_sent_{};
  Time last_supply_{};
  std::optional<Moving> moving_;
  Time orphan_since_{};
  bool gave_up_ = false;

  // Downward.
  Children children_;
  Books books_;
  std::deque<Task> pool_;
  std::set<TaskId> reissued_;
  std::set<std::pair<PeerId, std::uint64_t>> taken_;  // at the root: by executor and execution
  std::uint64_t executions_ = 0;
  std::uint32_t results_since_offer_ = 0;

  // The window: what this peer prefetches for itself.
  std::uint32_t window_ = 1;
  std::uint32_t batch_ = 0;
  Time batch_began_{};
  double pace_ = 0;  // running mean of seconds a task
};

}  // namespace rhizome::agents::grid
