#include "agents/organic_grid/organic_grid.hpp"

#include <algorithm>

namespace rhizome::agents {

using core::PeerId;
using grid::TreeNode;

namespace {

// A random part of a duration.
core::Duration share_of(OrganicGrid::Env& env, core::Duration whole) {
  return core::Duration(env.rng().between(0, whole.count()));
}

}  // namespace

OrganicGrid::OrganicGrid(PeerId self, const grid::Options& options, const World& world)
    : options_(options),
      world_(world),
      roots_(grid_roots(options, world)),
      neighbours_(world.graph.of(self).begin(), world.graph.of(self).end()),
      executor_(world.capacities[self.value]),
      group_(options_),
      membership_(options_, executor_) {}

const TreeNode* OrganicGrid::node(PeerId root) const {
  const auto found = nodes_.find(root);
  return found == nodes_.end() ? nullptr : &found->second;
}

TreeNode* OrganicGrid::find(PeerId root) {
  const auto found = nodes_.find(root);
  return found == nodes_.end() ? nullptr : &found->second;
}

void OrganicGrid::start(Env& env) {
  patience_ = options_.ask_again;
  // Out of step, as peers are that start by themselves.
  heartbeat_ = env.after(share_of(env, options_.heartbeat()), HeartbeatDue{});
  if (is_root(env.self())) host_root(env);
  asking_ = env.after(share_of(env, options_.ask_again / 20), AskDue{});
}

bool OrganicGrid::is_root(PeerId peer) const {
  return std::find(roots_.begin(), roots_.end(), peer) != roots_.end();
}

// Jobs are dealt to the roots in turn.
void OrganicGrid::host_root(Env& env) {
  const auto mine = static_cast<std::size_t>(std::find(roots_.begin(), roots_.end(), env.self()) -
                                             roots_.begin());
  std::vector<const Job*> jobs;
  for (const Job& job : world_.workload.jobs)
    if (job.id % roots_.size() == mine) jobs.push_back(&job);
  for (const Job* job : jobs)
    jobs_due_.push_back(env.after(job->arrival - env.now(), JobDue{job->id}));
  const bool nothing = jobs.empty();
  auto [node, fresh] = nodes_.try_emplace(env.self(), env.self(), options_, neighbours_);
  node->second.become_root(grid::Source(std::move(jobs)));
  if (nothing) end_tree(env, env.self(), env.self());
}

void OrganicGrid::on(Env& env, const JobDue& due) {
  if (TreeNode* node = find(env.self())) node->arrive(env, world_.workload.jobs[due.job]);
  settle(env);
}

void OrganicGrid::beat(Env& env) { heartbeat_ = env.after(options_.heartbeat(), HeartbeatDue{}); }

void OrganicGrid::on(Env& env, const HeartbeatDue&) {
  beat(env);
  for (auto& [root, node] : nodes_) node.tick(env, idle());
  for (const auto& [root, node] : nodes_)
    if (node.gave_up() && given_up_.insert(root).second)
      env.note({.name = facts::run_failed, .subject = root.value, .reason = "root out of reach"});
  std::erase_if(nodes_, [](const auto& item) { return item.second.gave_up(); });
  tend_group(env);
  settle(env);
}

// Idle and without a tree that feeds it, a peer asks its neighbours, less and less often.
void OrganicGrid::on(Env& env, const AskDue&) { ask(env); }

void OrganicGrid::ask(Env& env) {
  if (over(env.self()) && roots_.size() == ended_.size()) return;
  asking_ = env.after(patience_, AskDue{});
  patience_ = std::min(patience_ * 2, options_.ask_again * 4);
  if (membership_.working()) return;
  referrals_ = 0;
  const bool fed = std::any_of(nodes_.begin(), nodes_.end(),
                               [](const auto& item) { return item.second.attached(); });
  if (!executor_.idle() || (fed && roots_.size() == 1)) return;
  grid::Ask message;
  for (const auto& [root, node] : nodes_) message.serving.push_back(root);
  for (const PeerId neighbour : neighbours_) env.send(neighbour, message);
  // Where all neighbours may be dead, anybody may know more.
  if (patience_ >= options_.ask_again * 4)
    env.send(PeerId{static_cast<std::uint32_t>(env.rng().below(world_.peers()))}, message);
}

void OrganicGrid::on(Env& env, PeerId from, const grid::Ask& message) {
  const auto serves = [&](PeerId root) {
    return std::find(message.serving.begin(), message.serving.end(), root) != message.serving.end();
  };
  bool taken = enlist(env, from, message);
  for (auto& [root, node] : nodes_)
    if (!taken && !serves(root) && from != root) taken = node.asked(env, from);
  if (!taken) refer(env, from);
  if (!taken && !membership_.working() &&
      std::find(beggars_.begin(), beggars_.end(), from) == beggars_.end())
    beggars_.push_back(from);
  if (!ended_.empty() && !taken) env.send(from, farewell());
  settle(env);
}

void OrganicGrid::on(Env& env, PeerId from, const grid::Clone& message) {
  if (over(message.root)) {
    env.send(from, farewell());
    return;
  }
  if (membership_.working()) {
    env.send(from, grid::Leave{message.root});
    return;
  }
  const auto [node, fresh] = nodes_.try_emplace(message.root, message.root, options_, neighbours_);
  if (!fresh) {
    if (node->second.parent() != from) env.send(from, grid::Leave{message.root});
    return;
  }
  node->second.join(env, from, message.ancestors);
  settle(env);
}

template <class M>
void OrganicGrid::on(Env& env, PeerId from, const M& message) {
  if (over(message.root)) {
    env.send(from, farewell());
    return;
  }
  if (TreeNode* node = find(message.root)) {
    node->on(env, from, message);
  } else if constexpr (std::is_same_v<M, grid::Adopt>) {
    env.send(from, grid::Reject{message.root, message.epoch, {}});
  } else if constexpr (std::is_same_v<M, grid::Alive> || std::is_same_v<M, grid::Demand> ||
                       std::is_same_v<M, grid::Results>) {
    env.send(from, grid::Stranger{message.root});
  } else if constexpr (std::is_same_v<M, grid::Supply> || std::is_same_v<M, grid::Accept>) {
    env.send(from, grid::Leave{message.root});
  }
  settle(env);
}

void OrganicGrid::on(Env& env, const core::WorkDone& done) {
  const auto task = executor_.finish(env, done);
  if (!task) return;
  if (const auto running = running_.find(task->id); running != running_.end()) {
    if (TreeNode* node = find(running->second)) node->executed(env, *task);
    running_.erase(running);
  } else if (membership_.working()) {
    membership_.executed(env, *task);
  }
  settle(env);
}

// Own slots first, then the group, the children, then the parent; then see whether a tree of ours
// is done.
void OrganicGrid::settle(Env& env) {
  execute(env);
  hand_out(env);
  for (auto& [root, node] : nodes_) node.settle(env, idle(), 1 + group_.hands());
  serve_beggars(env);
  const TreeNode* own = node(env.self());
  if (own != nullptr && own->finished()) end_tree(env, env.self(), env.self());
}

// Those who asked in vain are remembered, so that nobody has to ask often.
void OrganicGrid::serve_beggars(Env& env) {
  for (auto& [root, node] : nodes_)
    while (!beggars_.empty() && node.has_surplus()) {
      const PeerId beggar = beggars_.front();
      beggars_.erase(beggars_.begin());
      if (beggar != root && !enlist(env, beggar, {})) node.asked(env, beggar);
    }
}

void OrganicGrid::execute(Env& env) {
  while (TreeNode* node = in_turn([this](const Task& task) { return executor_.fits(task); })) {
    const Task taken = node->take_task(env);
    if (running_.contains(taken.id)) continue;  // a re-issued task that runs here already
    running_[taken.id] = node->root();
    executor_.start(env, taken);
  }
}

void OrganicGrid::on(Env& env, PeerId from, const grid::Terminate& message) {
  for (const PeerId root : message.roots) end_tree(env, root, from);
}

void OrganicGrid::end_tree(Env& env, PeerId root, PeerId told_by) {
  if (!is_root(root)) return;
  if (!ended_.insert(root).second) return;
  for (const PeerId worker : group_.members()) env.send(worker, farewell());
  if (const auto found = nodes_.find(root); found != nodes_.end()) {
    std::vector<PeerId> tell = found->second.acquaintances();
    tell.insert(tell.end(), beggars_.begin(), beggars_.end());
    if (found->second.parent() != core::nobody) {
      tell.push_back(found->second.parent());
      env.note({.name = facts::parent_changed,
                .subject = root.value,
                .other = core::nobody,
                .value = static_cast<double>(found->second.parent().value),
                .reason = "termination"});
    }
    for (const PeerId peer : tell)
      if (peer != told_by && peer != env.self()) env.send(peer, farewell());
    nodes_.erase(found);
  }
  rest_if_over(env);
}

// When every tree has ended, nothing stays armed or running here; only answers are given.
void OrganicGrid::rest_if_over(Env& env) {
  std::set<PeerId> gone = ended_;
  gone.insert(given_up_.begin(), given_up_.end());
  if (gone.size() < roots_.size()) return;
  executor_.stop_all(env);
  running_.clear();
  env.cancel(heartbeat_);
  env.cancel(asking_);
  for (const core::TimerId due : jobs_due_) env.cancel(due);
  env.finish();
}

std::vector<PeerId> grid_roots(const grid::Options& options, const World& world) {
  std::vector<PeerId> roots{world.source};
  core::Rng rng = core::Rng::derive({world.seed}, "roots");
  while (roots.size() < std::min(options.roots, world.peers())) {
    const PeerId peer{static_cast<std::uint32_t>(rng.below(world.peers()))};
    if (std::find(roots.begin(), roots.end(), peer) == roots.end()) roots.push_back(peer);
  }
  return roots;
}

namespace {

void equip(core::Peer& peer, const grid::Options& options, const World& world) {
  peer.add<OrganicGrid>(peer.id(), options, world);
}

std::vector<PeerId> essential(const grid::Options& options, const World& world) {
  return grid_roots(options, world);
}

std::string refusal(const grid::Options& options, const World& world) {
  if (options.roots > world.peers()) return "there are more roots than peers";
  if (options.widest > 0 && options.widest <= options.max_children)
    return "widest has an effect only above max_children";
  if (options.timeout < 4 * world.longest_delay)
    return "timeout must be at least four times the longest delay of the network";
  return {};
}

}  // namespace

Scheduler organic_grid() {
  return make_scheduler<grid::Options>(
      {.name = "organic-grid",
       .summary = "agents clone to idle neighbours; the tree of clones moves fast peers to the top",
       .at_least_once = true,
       .settings = grid::settings(),
       .equip = equip,
       .essential = essential,
       .patience = grid::patience,
       .refusal = refusal});
}

Scheduler hybrid() {
  return make_scheduler<grid::Options>(
      {.name = "hybrid",
       .summary = "the Organic Grid's tree, made of leaders with groups as in Air Traffic Control",
       .at_least_once = true,
       .settings = grid::hybrid_settings(),
       .defaults = grid::hybrid_defaults,
       .equip = equip,
       .essential = essential,
       .patience = grid::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
