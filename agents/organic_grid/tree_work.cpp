// The flow of work through a node: tasks come down on demand, results go up in bursts.
#include <algorithm>

#include "agents/organic_grid/organic_grid.hpp"
#include "agents/organic_grid/tree_node.hpp"

namespace rhizome::agents::grid {

void TreeNode::arrive(const std::vector<Task>& tasks) {
  roll_->add(tasks);
  pool_.insert(pool_.end(), tasks.begin(), tasks.end());
}

Task TreeNode::take_task(Env& env) {
  const Task task = pool_.front();
  pool_.pop_front();
  if (roll_) books_.lend(task, {env.self()}, env.now());
  return task;
}

void TreeNode::executed(Env& env, const Task& task, Duration took) {
  const double duration = std::max(core::seconds(task.duration), 1e-9);
  pace_ = core::seconds(took) / duration;
  take_result(env, {task.id, env.self(), pace_});
  window_.count(env.now());
}

// A second result of a task is dropped only while the first is still in these hands: what has been
// handed up may come back from above by a re-parenting, and then nobody else has it.
void TreeNode::take_result(Env& env, const Result& result) {
  if (!roll_ && holds(result.task)) return;
  books_.settle(result.task, env.now());
  if (reissued_.contains(result.task))
    std::erase_if(pool_, [&](const Task& task) { return task.id == result.task; });
  if (!roll_) {
    held_.push_back(result);
  } else if (roll_->knows(result.task)) {
    roll_->finish(result.task);
    env.raise(Finished{result.task, result.executor});
  }
}

bool TreeNode::holds(TaskId task) const {
  const auto in = [task](const std::deque<Result>& results) {
    return std::any_of(results.begin(), results.end(),
                       [task](const Result& result) { return result.task == task; });
  };
  return in(held_) || in(up_.results.items()) ||
         std::any_of(farewells_.list().begin(), farewells_.list().end(),
                     [&](const auto& farewell) { return in(farewell.stay.results.items()); });
}

void TreeNode::settle(Env& env, bool idle, std::uint32_t hands) {
  serve(env);
  if (roll_ || !up_.attached()) return;
  const std::uint64_t stock = pool_.size() + up_.outstanding();
  const std::uint64_t goal = target(idle, hands);
  const std::uint64_t need = goal + children_.deficits();
  // Bounded, whatever a child may claim to need.
  constexpr std::uint64_t most_outstanding = std::uint64_t{1} << 16U;
  if (stock < need && (stock <= goal / 2 || stock < children_.deficits()))
    up_.demanded = std::min(up_.demanded + (need - stock), up_.supplies.next() + most_outstanding);
  const bool last = idle && pool_.empty();
  const bool burst = held_.size() >= std::uint64_t{home_.options.burst} * hands;
  if (burst || (last && !held_.empty())) flush(env);
  if (up_.announced < up_.demanded) demand(env);
}

// One's own window, as many times as there are hands: one's own and the children (Peterson, 5.1).
std::uint64_t TreeNode::target(bool idle, std::uint32_t hands) const {
  if (!home_.options.prefetch && !idle) return 0;
  return std::uint64_t{window_.tasks()} * (hands + children_.size()) * home_.options.steal_more;
}

void TreeNode::demand(Env& env) {
  env.send(up_.parent, Demand{root_, up_.epoch, up_.demanded, up_.supplies.next()});
  up_.announced = up_.demanded;
  up_.last_sent = env.now();
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
  Supply message{root_,
                 child.epoch,
                 child.supplies.next(),
                 child.results.next(),
                 age(env.now()),
                 chain_for_child(env.self()),
                 {}};
  for (std::size_t i = 0; i < tasks; ++i) {
    const Task& task = pool_.front();
    message.tasks.push_back(task);
    books_.lend(task, {child.id, child.epoch}, env.now());
    child.supplies.push(task, env.now());
    pool_.pop_front();
  }
  env.send(child.id, message);
}

void TreeNode::flush(Env& env) {
  env.send(up_.parent, Results{root_,
                               up_.epoch,
                               up_.results.next(),
                               up_.demanded,
                               up_.supplies.next(),
                               {held_.begin(), held_.end()}});
  for (const Result& result : held_) up_.results.push(result, env.now());
  held_.clear();
  up_.announced = up_.demanded;
  up_.last_sent = env.now();
}

// What the parent would have confirmed by now is lost.
void TreeNode::resend_results(Env& env) {
  const std::uint64_t first = up_.results.first();
  env.send(up_.parent,
           Results{root_, up_.epoch, first, up_.demanded, up_.supplies.next(),
                   up_.results.again(env.now())},
           core::Cause::recovery);
  up_.last_sent = env.now();
}

// Whoever asks has no node in this tree: it is new, or has lost it. Only what it asked before it
// came, and arrives late, says nothing.
bool TreeNode::asked(Env& env, PeerId from, std::uint64_t epoch) {
  if (Child* child = children_.find(from)) {
    if (child->epoch > epoch) return true;
    lose(env, *child, "restart");
    children_.remove(from);
  }
  if (!has_surplus() || children_.is_former(from, env.now()) || in_chain(from)) return false;
  children_.add(from, env.now()).after = epoch;
  env.send(from, Clone{root_, age(env.now()), chain_for_child(env.self())});
  return true;
}

void TreeNode::reissue(Env& env, const Task& task, PeerId from, std::string_view reason) {
  if ((roll_ && roll_->done(task.id)) || holds(task.id)) return;
  env.note(TaskReissued{task.id, from, std::string(reason)});
  reissued_.insert(task.id);
  pool_.push_back(task);
}

// With none left and hands free, what has been out for too long is handed out again.
void TreeNode::check_overdue(Env& env, bool idle) {
  const std::uint64_t hands = children_.deficits() + (idle ? 1 : 0);
  if (!pool_.empty() || hands == 0) return;
  for (const Books::Entry& entry :
       books_.overdue(env.now(), home_.options.overdue, home_.options.timeout, hands))
    if (entry.borrower.peer != env.self()) reissue(env, entry.task, entry.borrower.peer, "overdue");
}

}  // namespace rhizome::agents::grid
