#include "agents/organic_grid/tree/tree_node.hpp"

namespace rhizome::agents::grid {

TreeNode::TreeNode(PeerId root, Home& home)
    : home_(home),
      lineage_(root, home),
      missing_(lineage_, home),
      up_(lineage_, home, trail_),
      stock_(lineage_, home, up_, trail_),
      down_(lineage_, home, stock_, missing_),
      moves_(lineage_, home, up_, down_),
      hosting_(lineage_, home, {stock_, up_, moves_, down_}),
      ranking_(lineage_, home, {stock_, up_, moves_, down_}),
      parent_lease_(lineage_, {stock_, up_, moves_, missing_}),
      window_(home.options.burst, home.options.max_window),
      forwarding_(lineage_, home, stock_, trail_),
      inquiries_(lineage_, home, {stock_, up_, down_, trail_, forwarding_, window_}) {}

void TreeNode::join(Env& env, PeerId parent, const Clone& clone) {
  window_.begin(env.now());
  moves_.join(env, parent, clone);
}

void TreeNode::dissolve(Env& env) {
  down_.dissolve(env);
  env.note(ParentChanged{root(), core::no_peer, parent(), "departure"});
}

bool TreeNode::part(Env& env) {
  if (!parted_) {
    if (!stock_.empty() || !down_.alone() || moves_.under_way() || !up_.settled()) return false;
    parted_ = true;
    up_.detach(env, "departure");
  }
  return up_.settled() && forwarding_.hand_over(env);
}

void TreeNode::executed(Env& env, const Task& task, Duration service) {
  const double pace = pace_of(task, service);
  ranking_.own_pace(pace);
  take_result(env, {product_of(task), env.self(), pace});
  window_.count(env.now());
}

void TreeNode::settle(Env& env, const Standing& peer) {
  down_.serve(env);
  if (!up_.attached()) return;
  up_.settle(env, {.stock = stock_.size() + peer.ahead,
                   .goal = target(peer),
                   .deficits = home_.draining ? 0 : down_.children().deficits(),
                   .hands = peer.hands,
                   .last = peer.idle && stock_.empty()});
}

// The node's window times the number of hands: its own and its children (Peterson, 5.1). Without
// prefetching no task would be left for peers that asked in vain, and no tree would be deeper than
// its root: one such peer counts as a hand if it may become a child. Children ask for their own
// tasks: a node that starves asks for none beforehand on their behalf.
std::uint64_t TreeNode::target(const Standing& peer) const {
  const Options& options = home_.options;
  if (home_.draining || (!options.prefetch && !peer.idle)) return 0;
  if (window_.closed()) return peer.idle ? 1 : 0;
  const bool newcomer = peer.begged && down_.children().room(1);
  if (window_.restarted()) return peer.hands + (newcomer ? 1 : 0);
  const std::uint64_t all = peer.hands + down_.children().size() + (newcomer ? 1 : 0);
  return window_.tasks() * all * options.steal_more;
}

void TreeNode::tick(Env& env, bool idle) {
  if (lineage_.is_root()) lineage_.learn(Duration::zero(), env.now());
  down_.check(env);
  window_.tick(idle);
  inquiries_.tick(env, down_.children().deficits() + (idle ? 1 : 0));
  missing_.recall(env);
  if (lineage_.is_root()) return;
  up_.tend_farewells(env);
  if (!parted_) parent_lease_.tick(env);
}

}  // namespace rhizome::agents::grid
