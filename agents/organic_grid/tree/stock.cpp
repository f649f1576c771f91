#include "agents/organic_grid/tree/stock.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents::grid {

void Stock::enter(const std::vector<Task>& tasks) {
  roll_.add(tasks);
  add(tasks);
}

Task Stock::take(Env& env) {
  Task task = std::move(pool_.front());
  pool_.pop_front();
  if (lineage_.is_root()) books_.lend(task, {env.self()}, env.now());
  return task;
}

Task Stock::lend(Books::Borrower borrower, Time now) {
  Task task = std::move(pool_.front());
  pool_.pop_front();
  books_.lend(task, borrower, now);
  return task;
}

// A second result of a task is dropped only while the first is still in these hands: what has been
// handed up may come back from above by a re-parenting, and then nobody else has it.
void Stock::take_result(Env& env, const Result& result) {
  if (up_.holds(result.task)) return;
  books_.settle(result.task, env.now());
  if (reissued_.contains(result.task))
    std::erase_if(pool_, [&](const Task& task) { return task.id == result.task; });
  if (!lineage_.is_root()) {
    up_.hold(result);
  } else if (roll_.knows(result.task)) {
    roll_.finish(result.task);
    env.raise(Finished{result.task, result.executor});
  }
}

void Stock::reissue(Env& env, const Task& task, PeerId from, std::string_view reason) {
  if (roll_.done(task.id) || up_.holds(task.id)) return;
  env.note(TaskReissued{task.id, from, std::string(reason)});
  reissued_.insert(task.id);
  pool_.push_back(task);
}

void Stock::recall(Env& env, Books::Borrower borrower, std::string_view reason) {
  for (const Task& task : books_.recall(borrower)) reissue(env, task, borrower.peer, reason);
}

void Stock::put_back(const Task& task) {
  books_.cancel(task.id);
  if (!roll_.done(task.id)) pool_.push_front(task);
}

void Stock::part_with(Books::Borrower borrower) {
  if (lineage_.is_root()) {
    books_.disown(borrower);
  } else {
    books_.forget(borrower);
  }
}

void Stock::check_overdue(Env& env, std::uint64_t hands) {
  if (!pool_.empty() || hands == 0) return;
  for (const Books::Entry& entry :
       books_.overdue(env.now(), home_.options.overdue, home_.options.timeout, hands))
    if (entry.borrower.peer != env.self()) reissue(env, entry.task, entry.borrower.peer, "overdue");
}

}  // namespace rhizome::agents::grid
