// The Organic Grid (Chakravarti, Baumgartner, Lauria; Peterson, dissertation, sections 2.3, 3.1 and
// 5.1): agents clone themselves to idle neighbours, their clone links form a tree, and fast peers
// are promoted towards the root.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "agents/organic_grid/group.hpp"
#include "agents/organic_grid/membership.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/organic_grid/options.hpp"
#include "agents/organic_grid/tree/tree_node.hpp"
#include "agents/possible.hpp"
#include "agents/provision/signals.hpp"
#include "agents/scheduler.hpp"
#include "agents/server.hpp"

namespace rhizome::agents {

// One peer: a server, and an agent for each tree that it belongs to. In the hybrid with Air
// Traffic Control, agents lead groups of workers, which belong to no tree.
class OrganicGrid {
 public:
  using Messages = grid::Messages;
  using Env = grid::Env;
  using Hears = core::OneOf<Submitted, Drained, provision::Draining>;
  static constexpr std::string_view name = "organic-grid";

  OrganicGrid(core::PeerId self, const grid::Options& options, const World& world);

  template <core::one_of<Messages> M>
  [[nodiscard]] bool believes(core::PeerId from, const M& message) const {
    return from.value < world_.peers() && possible(message, world_.peers());
  }
  void start(Env& env);
  void on(Env& env, const Submitted& job);
  void on(Env& env, const Drained& drained);
  void on(Env& env, const provision::Draining& draining);
  void on(Env& env, const grid::HeartbeatDue& due);
  void on(Env& env, const grid::AskDue& due);
  void on(Env& env, const DivideDue& due) { server_.on(env, due); }
  void on(Env& env, const core::WorkDone& done);
  template <core::one_of<Messages> M>
  void on(Env& env, core::PeerId from, const M& message);

  // The agent in the tree of `root`, nullptr when there is none.
  [[nodiscard]] const grid::TreeNode* node(core::PeerId root) const;

  [[nodiscard]] const grid::Group& group() const { return group_; }
  [[nodiscard]] core::PeerId leader() const { return membership_.leader(); }

 private:
  // Messages about this peer and its group; all other messages are about one tree, and go to its
  // agent.
  using Own = core::OneOf<grid::Ask, grid::Clone, grid::Vouch, grid::Recall, grid::Terminate,
                          grid::Enlist, grid::Enlisted, grid::Assign, grid::Done, grid::WorkerAlive,
                          grid::LeaderAlive, grid::Dismiss, grid::Refer>;

  void take(Env& env, core::PeerId from, const grid::Ask& message);
  void take(Env& env, core::PeerId from, const grid::Clone& message);
  void take(Env& env, core::PeerId from, const grid::Vouch& message);
  void take(Env& env, core::PeerId from, const grid::Recall& message);
  void take(Env& env, core::PeerId from, const grid::Terminate& message);
  // Groups, in groups.cpp.
  void take(Env& env, core::PeerId from, const grid::Enlist& message);
  void take(Env& env, core::PeerId from, const grid::Enlisted& message);
  void take(Env& env, core::PeerId from, const grid::Assign& message);
  void take(Env& env, core::PeerId from, const grid::Done& message);
  void take(Env& env, core::PeerId from, const grid::WorkerAlive& message);
  void take(Env& env, core::PeerId from, const grid::LeaderAlive& message);
  void take(Env& env, core::PeerId from, const grid::Dismiss& message);
  void take(Env& env, core::PeerId from, const grid::Refer& message);
  template <class M>
  void to_tree(Env& env, core::PeerId from, const M& message);

  // A peer that asked in vain, and its request.
  struct Beggar {
    core::PeerId peer;
    grid::Ask ask;
  };

  grid::TreeNode* find(core::PeerId root);
  bool enlist(Env& env, core::PeerId from, const grid::Ask& ask);
  void refer(Env& env, core::PeerId from);
  void hand_out(Env& env);
  void tend_group(Env& env);
  void quit(Env& env, std::string_view reason);
  void give_back(Env& env, const grid::Group::Lost& lost);
  [[nodiscard]] bool is_root(core::PeerId peer) const;
  [[nodiscard]] bool idle() const { return server_.idle() && group_.idle(); }
  [[nodiscard]] bool fed() const;
  template <class Fits>
  grid::TreeNode* in_turn(Fits fits);
  void host_root(Env& env);
  void ask(Env& env);
  void ask_around(Env& env, bool widely);
  void remember(core::PeerId beggar, const grid::Ask& ask);
  void settle(Env& env);
  [[nodiscard]] std::size_t held_as_worker() const;
  void tell_waiting(Env& env) const;
  void execute(Env& env);
  [[nodiscard]] std::size_t at_once(const grid::TreeNode& node) const;
  void vacate(Env& env);
  void tell_rest(Env& env);
  void serve_beggars(Env& env);
  [[nodiscard]] bool begged(core::PeerId root) const;
  void end_tree(Env& env, core::PeerId root, core::PeerId told_by);
  void stop(Env& env);
  void beat(Env& env);
  [[nodiscard]] bool over(core::PeerId root) const { return ended_.contains(root); }
  [[nodiscard]] bool all_over() const { return ended_.size() == roots_.size(); }
  [[nodiscard]] grid::Terminate farewell() const { return {{ended_.begin(), ended_.end()}}; }
  // Hope, in hope.cpp.
  void learn(Env& env, const std::vector<grid::Sighting>& sightings);
  void check_hope(Env& env);
  void ask_roots(Env& env) const;
  void check_files(Env& env);
  void drop_hopeless(Env& env);
  void give_up(Env& env);
  void wake(Env& env, core::Duration age);
  [[nodiscard]] core::Duration without_news(core::Time now) const;

  const World& world_;
  const std::vector<core::PeerId> roots_;
  grid::Home home_;
  Server server_;
  std::map<core::PeerId, grid::TreeNode> nodes_;
  std::map<TaskId, core::PeerId> running_;  // and the trees they belong to
  grid::Group group_;
  grid::Membership membership_;
  std::set<core::PeerId> ended_;
  core::TimerId heartbeat_;
  core::TimerId asking_;
  core::Duration patience_{0};
  std::vector<Beggar> beggars_;  // neighbours that asked when no task was left
  core::PeerId last_served_ = core::no_peer;
  int referrals_ = 0;  // followed since this peer last asked its neighbours
  bool resting_ = false;
  bool has_rest_ = false;        // last state told to provisioning
  core::Time hope_since_{};      // when this peer last had a reason to wait for news
  core::Time pleaded_{};         // when it last asked out of worry
  std::set<core::PeerId> lost_;  // peers known when it gave up, to be called if it comes back
};

// Among the trees whose first task fits, the one whose task goes first by the discipline of the
// peer. Equal trees take turns, so that none starves another on a shared peer.
template <class Fits>
grid::TreeNode* OrganicGrid::in_turn(Fits fits) {
  grid::TreeNode* next = nullptr;
  core::Duration least{};
  auto turn = nodes_.upper_bound(last_served_);
  for (std::size_t i = 0; i < nodes_.size(); ++i, ++turn) {
    if (turn == nodes_.end()) turn = nodes_.begin();
    const Task* task = turn->second.next_task();
    if (task == nullptr || !fits(turn->second, *task)) continue;
    const core::Duration rank = server_.rank(*task);
    if (next != nullptr && rank >= least) continue;
    next = &turn->second;
    least = rank;
  }
  if (next != nullptr) last_served_ = next->root();
  return next;
}

// The peers at which jobs arrive: the source of the world, and others by chance.
[[nodiscard]] std::vector<core::PeerId> grid_roots(const grid::Options& options,
                                                   const World& world);

// Makes a peer one of the grid.
void equip_grid(core::Peer& peer, const grid::Options& options, const World& world);

}  // namespace rhizome::agents
