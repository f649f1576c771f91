#include "agents/organic_grid/tree_node.hpp"

#include <algorithm>

#include "agents/organic_grid/organic_grid.hpp"

namespace rhizome::agents::grid {

TreeNode::TreeNode(PeerId root, const Options& options, std::vector<PeerId> neighbours)
    : root_(root), options_(options), neighbours_(std::move(neighbours)), children_(options) {}

void TreeNode::join(Env& env, PeerId parent, const std::vector<PeerId>& ancestors) {
  epoch_ = env.incarnation().value << 20U;  // later lives have later epochs
  batch_began_ = env.now();
  attach(env, parent, ancestors, "join");
}

std::vector<PeerId> TreeNode::acquaintances() const { return children_.everybody(); }

std::vector<PeerId> TreeNode::chain_for_child(PeerId self) const {
  std::vector<PeerId> chain{self};
  chain.insert(chain.end(), ancestors_.begin(), ancestors_.end());
  return chain;
}

bool TreeNode::in_chain(PeerId peer) const {
  return std::find(ancestors_.begin(), ancestors_.end(), peer) != ancestors_.end();
}

void TreeNode::arrive(Env& env, const Job& job) {
  for (const Task& task : job.portions) {
    env.note(facts::about(facts::task_submitted, task.id));
    pool_.push_back(task);
  }
}

Task TreeNode::take_task(Env& env) {
  const Task task = pool_.front();
  pool_.pop_front();
  if (source_) books_.lend(task, env.self(), env.now());
  return task;
}

void TreeNode::executed(Env& env, const Task& task) {
  const std::uint64_t life = std::uint64_t{env.incarnation().value} << 40U;
  take_result(env, {task.id, env.self(), life + executions_++});
  note_pace(env);
}

// As in TCP's window: a batch faster than the running mean widens it by one, a slower one narrows
// it.
void TreeNode::note_pace(Env& env) {
  if (++batch_ < options_.burst) return;
  constexpr double same = 0.01;  // within this share, neither faster nor slower
  const double pace = core::seconds(env.now() - batch_began_) / batch_;
  if (pace_ > 0 && pace < pace_ * (1 - same)) window_ = std::min(window_ + 1, options_.max_window);
  if (pace_ > 0 && pace > pace_ * (1 + same)) window_ = std::max(window_ - 1, 1U);
  pace_ = pace_ > 0 ? (pace_ + pace) / 2 : pace;
  batch_ = 0;
  batch_began_ = env.now();
}

// A result that comes twice is dropped only while the first is still in these hands: what has been
// handed up may come back from above by a re-parenting, and then nobody else has it.
void TreeNode::take_result(Env& env, const Result& result) {
  if (source_ ? !taken_.emplace(result.executor, result.execution).second : holds(result)) return;
  books_.settle(result.task, env.now());
  if (reissued_.contains(result.task))
    std::erase_if(pool_, [&](const Task& task) { return task.id == result.task; });
  if (source_) {
    source_->take(result, [&env](const core::Fact& fact) { env.note(fact); });
  } else {
    held_.push_back(result);
  }
}

bool TreeNode::holds(const Result& result) const {
  const auto in = [&result](const std::deque<Result>& results) {
    return std::find(results.begin(), results.end(), result) != results.end();
  };
  return in(held_) || in(unacknowledged_) || in(limbo_.results);
}

void TreeNode::settle(Env& env, bool idle, std::uint32_t hands) {
  serve(env);
  if (source_ || parent_ == core::nobody) return;
  const std::uint64_t stock = pool_.size() + (demanded_ - received_);
  const std::uint64_t goal = target(idle, hands);
  const std::uint64_t need = goal + children_.deficits();
  // Bounded, because in a cycle that has not been noticed yet every demand begets another.
  constexpr std::uint64_t most_outstanding = std::uint64_t{1} << 16U;
  if (stock < need && (stock <= goal / 2 || stock < children_.deficits()))
    demanded_ = std::min(demanded_ + (need - stock), received_ + most_outstanding);
  const bool last = idle && pool_.empty();
  if (held_.size() >= std::uint64_t{options_.burst} * hands || (last && !held_.empty())) flush(env);
  if (announced_ < demanded_) demand(env);
}

// One's own window, as many times as there are hands: one's own and the children (Peterson, 5.1).
std::uint64_t TreeNode::target(bool idle, std::uint32_t hands) const {
  if (!options_.prefetch && !idle) return 0;
  return std::uint64_t{window_} * (hands + children_.size()) * options_.steal_more;
}

void TreeNode::demand(Env& env) {
  env.send(parent_, Demand{root_, epoch_, demanded_});
  announced_ = demanded_;
  last_sent_ = env.now();
}

// Children in the order in which they came.
void TreeNode::serve(Env& env) {
  for (Child& child : children_.list()) {
    if (pool_.empty()) return;
    const std::uint64_t tasks = std::min<std::uint64_t>(child.deficit(), pool_.size());
    if (tasks > 0) supply(env, child, tasks);
  }
}

void TreeNode::supply(Env& env, Child& child, std::size_t tasks) {
  Supply message{root_, child.epoch, 0, child.received, chain_for_child(env.self()), {}};
  for (std::size_t i = 0; i < tasks; ++i) {
    message.tasks.push_back(pool_.front());
    books_.lend(pool_.front(), child.id, env.now());
    pool_.pop_front();
  }
  child.supplied += tasks;
  message.supplied = child.supplied;
  env.send(child.id, message);
}

void TreeNode::flush(Env& env) {
  Results message{root_,
                  epoch_,
                  acknowledged_ + unacknowledged_.size(),
                  demanded_,
                  {held_.begin(), held_.end()}};
  env.send(parent_, message);
  announced_ = demanded_;
  unacknowledged_.insert(unacknowledged_.end(), held_.begin(), held_.end());
  held_.clear();
  last_sent_ = env.now();
}

// What the parent has not confirmed may be lost; a second copy does no harm.
void TreeNode::resend(Env& env) {
  if (unacknowledged_.empty()) return;
  env.send(parent_,
           Results{root_,
                   epoch_,
                   acknowledged_,
                   demanded_,
                   {unacknowledged_.begin(), unacknowledged_.end()}},
           core::Cause::recovery);
  last_sent_ = env.now();
}

void TreeNode::acknowledge(std::uint64_t results) {
  while (acknowledged_ < results && !unacknowledged_.empty()) {
    unacknowledged_.pop_front();
    ++acknowledged_;
  }
}

// A former parent has told how many of the results in limbo it has; the others go to the new one.
void TreeNode::leave_limbo(std::uint64_t acknowledged) {
  while (limbo_.acknowledged < acknowledged && !limbo_.results.empty()) {
    limbo_.results.pop_front();
    ++limbo_.acknowledged;
  }
  held_.insert(held_.begin(), limbo_.results.begin(), limbo_.results.end());
  limbo_ = {};
}

bool TreeNode::asked(Env& env, PeerId from) {
  if (Child* child = children_.find(from)) {  // it has forgotten us: a new life
    for (const Task& task : books_.recall(child->id)) reissue(env, task, from, "restart");
    children_.remove(from);
  }
  if (!has_surplus() || children_.is_former(from) || in_chain(from)) return false;
  children_.add(from, env.now());
  env.send(from, Clone{root_, chain_for_child(env.self())});
  return true;
}

// The child that a message is from; tells strangers so and ignores former children.
Child* TreeNode::heard(Env& env, PeerId from, std::uint32_t epoch, std::uint64_t demanded) {
  Child* child = children_.find(from);
  if (child == nullptr) {
    if (!children_.is_former(from)) env.send(from, Stranger{root_});
    return nullptr;
  }
  if (epoch < child->epoch) return nullptr;  // of a stay here that has ended
  if (epoch > child->epoch) {
    child->epoch = epoch;
    child->demanded = child->supplied = child->received = 0;
  }
  child->last_heard = env.now();
  child->demanded = std::max(child->demanded, demanded);
  return child;
}

void TreeNode::on(Env& env, PeerId from, const Demand& message) {
  heard(env, from, message.epoch, message.demanded);
}

void TreeNode::on(Env& env, PeerId from, const Alive& message) {
  Child* child = heard(env, from, message.epoch, message.demanded);
  if (child == nullptr) return;
  env.send(from, AliveToo{root_, child->epoch, child->supplied, child->received,
                          chain_for_child(env.self())});
}

// Results count from whomever they come; the sender's other wishes only if it is a child.
void TreeNode::on(Env& env, PeerId from, const Results& message) {
  Child* child = heard(env, from, message.epoch, message.demanded);
  for (const Result& result : message.list) take_result(env, result);
  children_.count_results(message.list.size());
  results_since_offer_ += static_cast<std::uint32_t>(message.list.size());
  if (child == nullptr || message.list.empty()) return;
  if (message.first <= child->received)
    child->received = std::max(child->received, message.first + message.list.size());
  children_.count_burst(*child, message.list.size(), env.now());
  evict_surplus(env);
  if (results_since_offer_ >= options_.full_window()) offer_best(env);
}

void TreeNode::heard_parent(Env& env, const std::vector<PeerId>& ancestors) {
  last_heard_ = env.now();
  learn_ancestors(env, ancestors);
  if (in_chain(env.self())) orphan(env, "cycle");
}

// News of an ancestor travels down at once: a stale chain is what could let a cycle arise. That an
// ancestor has gone may wait for the next message.
void TreeNode::learn_ancestors(Env& env, const std::vector<PeerId>& ancestors) {
  const bool news = std::any_of(ancestors.begin(), ancestors.end(),
                                [this](PeerId peer) { return !in_chain(peer); });
  ancestors_ = ancestors;
  if (!news || in_chain(env.self())) return;
  for (const Child& child : children_.list())
    env.send(
        child.id,
        AliveToo{root_, child.epoch, child.supplied, child.received, chain_for_child(env.self())},
        core::Cause::maintenance);
}

// Tasks are welcome from whomever they come; the totals only from the parent of this epoch.
void TreeNode::on(Env& env, PeerId from, const Supply& message) {
  for (const Task& task : message.tasks) pool_.push_back(task);
  if (from != parent_ || message.epoch != epoch_) return;
  received_ = std::min(demanded_, received_ + message.tasks.size());
  last_supply_ = env.now();
  acknowledge(message.acknowledged);
  heard_parent(env, message.ancestors);
}

void TreeNode::on(Env& env, PeerId from, const AliveToo& message) {
  if (from == limbo_.parent && message.epoch == limbo_.epoch) leave_limbo(message.acknowledged);
  if (from != parent_ || message.epoch != epoch_) return;
  acknowledge(message.acknowledged);
  // Supplied but not here after a whole heartbeat: lost on the way, so it is asked for anew.
  const bool stale = env.now() - last_supply_ > options_.heartbeat();
  if (stale && message.supplied > received_) received_ = std::min(demanded_, message.supplied);
  heard_parent(env, message.ancestors);
}

void TreeNode::tick(Env& env, bool idle) {
  check_children(env);
  check_overdue(env, idle);
  if (source_) return;
  check_parent(env);
  if (parent_ == core::nobody) return;
  const Duration quiet = options_.heartbeat();
  if (limbo_.parent != core::nobody && env.now() - limbo_.since > quiet) leave_limbo(0);
  if (!held_.empty()) flush(env);
  if (env.now() - last_sent_ < quiet && env.now() - last_heard_ < quiet) return;
  resend(env);
  env.send(parent_, Alive{root_, epoch_, demanded_});
  announced_ = demanded_;
  last_sent_ = env.now();
}

void TreeNode::check_children(Env& env) {
  std::vector<PeerId> dead;
  for (const Child& child : children_.list())
    if (env.now() - child.last_heard > options_.timeout) dead.push_back(child.id);
  for (const PeerId id : dead) {
    for (const Task& task : books_.recall(id)) reissue(env, task, id, "dead child");
    children_.remove(id);
  }
}

void TreeNode::reissue(Env& env, const Task& task, PeerId from, std::string_view reason) {
  if (source_ && source_->done(task.id)) return;
  env.note(facts::about(facts::task_reissued, task.id, from, reason));
  reissued_.insert(task.id);
  pool_.push_back(task);
}

// With none left and hands free, what has been out for too long is handed out again.
void TreeNode::check_overdue(Env& env, bool idle) {
  const std::uint64_t hands = children_.deficits() + (idle ? 1 : 0);
  if (!pool_.empty() || hands == 0) return;
  for (const Books::Entry& entry :
       books_.overdue(env.now(), options_.overdue, options_.heartbeat(), hands))
    if (entry.child != env.self()) reissue(env, entry.task, entry.child, "overdue");
}

}  // namespace rhizome::agents::grid
