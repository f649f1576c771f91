#include "agents/organic_grid/organic_grid.hpp"

#include <algorithm>

#include "agents/routing.hpp"

namespace rhizome::agents {

using grid::TreeNode;

namespace {

// A random part of a duration.
core::Duration share_of(OrganicGrid::Env& env, core::Duration whole) {
  return core::Duration(env.rng().between(0, whole.count()));
}

}  // namespace

OrganicGrid::OrganicGrid(PeerId self, const grid::Options& options, const World& world)
    : world_(world),
      roots_(grid_roots(options, world)),
      home_{.options = options,
            .neighbours = {world.graph.of(self).begin(), world.graph.of(self).end()},
            .peers = world.peers(),
            .capacity = world.capacities[self.value]},
      server_(world.capacities[self.value], Server::Told::by_scheduler),
      group_(home_.options),
      membership_(home_.options, server_) {}

const TreeNode* OrganicGrid::node(PeerId root) const {
  const auto found = nodes_.find(root);
  return found == nodes_.end() ? nullptr : &found->second;
}

TreeNode* OrganicGrid::find(PeerId root) {
  const auto found = nodes_.find(root);
  return found == nodes_.end() ? nullptr : &found->second;
}

void OrganicGrid::start(Env& env) {
  home_.begin_life(env.incarnation());
  hope_since_ = env.now();
  patience_ = home_.options.ask_again;
  // Out of step, as peers are that start by themselves.
  heartbeat_ = env.after(share_of(env, home_.options.heartbeat()), grid::HeartbeatDue{});
  asking_ = env.after(share_of(env, home_.options.ask_again / 20), grid::AskDue{});
  if (is_root(env.self())) host_root(env);
}

bool OrganicGrid::is_root(PeerId peer) const {
  return std::find(roots_.begin(), roots_.end(), peer) != roots_.end();
}

// What a former life knew of the results is lost, and no other peer knows it.
void OrganicGrid::host_root(Env& env) {
  nodes_.try_emplace(env.self(), env.self(), home_).first->second.become_root();
  home_.sightings.learn(env.self(), core::Duration::zero(), env.now());
  if (env.incarnation() == world_.first_life(env.self())) return;
  env.note(RunFailed{env.self(), "the root died, and with it what was done"});
  end_tree(env, env.self(), env.self());
}

void OrganicGrid::on(Env& env, const Submitted& job) {
  if (TreeNode* node = find(env.self())) node->arrive(job.tasks);
  settle(env);
}

void OrganicGrid::on(Env& env, const Drained&) { end_tree(env, env.self(), env.self()); }

// The tasks here are executed, and children find other parents once they have no task of this node;
// then no peer needs this one.
void OrganicGrid::on(Env& env, const provision::Draining&) {
  if (resting_ || is_root(env.self())) return;
  home_.draining = true;
  env.cancel(asking_);
  for (auto& [root, node] : nodes_) node.drain(env);
  settle(env);
}

void OrganicGrid::vacate(Env& env) {
  if (resting_ || !server_.idle()) return;
  bool parted = true;
  for (auto& [root, node] : nodes_) parted = node.part(env) && parted;
  if (parted) env.raise(provision::Vacated{});
}

void OrganicGrid::tell_rest(Env& env) {
  const bool rest = server_.idle() && !resting_;
  if (std::exchange(has_rest_, rest) != rest) env.raise(provision::Resting{rest});
}

void OrganicGrid::beat(Env& env) {
  heartbeat_ = env.after(home_.options.heartbeat(), grid::HeartbeatDue{});
}

void OrganicGrid::on(Env& env, const grid::HeartbeatDue&) {
  beat(env);
  for (auto& [root, node] : nodes_) node.tick(env, idle());
  drop_hopeless(env);
  tend_group(env);
  check_hope(env);
  check_files(env);
  settle(env);
}

bool OrganicGrid::fed() const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [](const auto& item) { return item.second.attached(); });
}

template <core::one_of<OrganicGrid::Messages> M>
void OrganicGrid::on(Env& env, PeerId from, const M& message) {
  const auto hand = [&](auto& part) { part.on(env, from, message); };
  auto peer = itself<Own>([this](auto&... event) { take(event...); });
  auto tree = itself<TreeNode::Messages>([this](auto&... event) { to_tree(event...); });
  route(message, hand, &peer, &tree);
}

namespace {

// What a peer without that tree answers, if anything.
template <class M>
void answer_for_nothing(OrganicGrid::Env& env, PeerId from, const M& message) {
  using FromChildren = core::OneOf<grid::Alive, grid::Demand, grid::Results>;
  using FromParents = core::OneOf<grid::Supply, grid::AliveToo, grid::Accept>;
  if constexpr (core::one_of<M, FromChildren>)
    env.send(from, grid::Stranger{message.root, message.epoch});
  if constexpr (core::one_of<M, FromParents>)
    env.send(from, grid::Decline{message.root, message.epoch});
  if constexpr (core::one_of<M, core::OneOf<grid::Adopt>>)
    env.send(from, grid::Reject{message.root, message.epoch, {}});
  if constexpr (core::one_of<M, core::OneOf<grid::Leave>>)
    env.send(from, grid::Settled{message.root, message.epoch, 0});
  if constexpr (core::one_of<M, core::OneOf<grid::Inquiry>>) {
    grid::InquiryReply reply{message.root, message.number, {}};
    for (const TaskId task : message.tasks)
      reply.list.push_back({task, grid::Place::unknown, core::no_peer});
    env.send(from, reply);
  }
}

}  // namespace

template <class M>
void OrganicGrid::to_tree(Env& env, PeerId from, const M& message) {
  if (!is_root(message.root)) return;
  if (over(message.root)) {
    env.send(from, farewell());
    return;
  }
  if (TreeNode* node = find(message.root)) {
    node->on(env, from, message);
  } else {
    answer_for_nothing(env, from, message);
  }
  settle(env);
}

void OrganicGrid::on(Env& env, const core::WorkDone& done) {
  const auto task = server_.finish(env, done);
  if (!task) return;
  const core::Duration service = server_.given(done);
  if (const auto running = running_.find(task->id); running != running_.end()) {
    if (TreeNode* node = find(running->second)) node->executed(env, *task, service);
    running_.erase(running);
  } else if (membership_.working()) {
    membership_.executed(env, *task, service);
  }
  settle(env);
}

// Tasks of its leader here. Tasks that it holds after the end will not be begun.
std::size_t OrganicGrid::held_as_worker() const {
  return membership_.working() && !resting_ ? membership_.waiting() : 0;
}

// Where tasks come or go and nothing settles.
void OrganicGrid::tell_waiting(Env& env) const {
  std::size_t tasks = held_as_worker();
  for (const auto& [root, node] : nodes_) tasks += node.waiting();
  env.waiting(tasks);
}

// Own slots first, then the group, the children, then the parent.
void OrganicGrid::settle(Env& env) {
  execute(env);
  hand_out(env);
  std::size_t waiting = held_as_worker();
  for (auto& [root, node] : nodes_) {
    node.settle(env, {.idle = idle(),
                      .hands = 1 + group_.hands(),
                      .ahead = server_.excess(),
                      .begged = begged(root)});
    waiting += node.waiting();
  }
  env.waiting(waiting);
  serve_beggars(env);
  if (home_.draining) vacate(env);
  if (world_.provisioned) tell_rest(env);
}

void OrganicGrid::execute(Env& env) {
  const auto fits = [&](const TreeNode& node, const Task& task) {
    return server_.would_serve(task, env.now(), at_once(node));
  };
  while (TreeNode* node = in_turn(fits)) {
    const Task taken = node->take_task(env);
    if (running_.contains(taken.id)) continue;  // a re-issued task that runs here already
    running_[taken.id] = node->root();
    server_.accept(env, taken);
  }
}

// Prefetched tasks share the processors that a discipline divides; other tasks may go to other
// peers.
std::size_t OrganicGrid::at_once(const TreeNode& node) const {
  return server_.capacity().slots + node.window();
}

void OrganicGrid::take(Env& env, PeerId from, const grid::Terminate& message) {
  for (const PeerId root : message.roots) end_tree(env, root, from);
}

void OrganicGrid::end_tree(Env& env, PeerId root, PeerId told_by) {
  if (!is_root(root)) return;
  if (!ended_.insert(root).second) return;
  hope_since_ = env.now();
  for (const PeerId worker : group_.members()) env.send(worker, farewell());
  if (const auto found = nodes_.find(root); found != nodes_.end()) {
    std::vector<PeerId> tell = found->second.acquaintances();
    for (const Beggar& beggar : beggars_) tell.push_back(beggar.peer);
    if (found->second.parent() != core::no_peer) {
      tell.push_back(found->second.parent());
      env.note(ParentChanged{root, core::no_peer, found->second.parent(), "termination"});
    }
    for (const PeerId peer : tell)
      if (peer != told_by && peer != env.self()) env.send(peer, farewell());
    nodes_.erase(found);
    tell_waiting(env);
  }
  if (!all_over()) return;
  stop(env);
  env.finish();
}

// Nothing stays armed or running here; only answers are given.
void OrganicGrid::stop(Env& env) {
  resting_ = true;
  server_.stop(env);
  running_.clear();
  env.cancel(heartbeat_);
  env.cancel(asking_);
  tell_waiting(env);
  if (world_.provisioned) tell_rest(env);
}

// Defined in this file, where all handlers are visible.
void equip_grid(core::Peer& peer, const grid::Options& options, const World& world) {
  peer.add<OrganicGrid>(peer.id(), options, world);
}

}  // namespace rhizome::agents
