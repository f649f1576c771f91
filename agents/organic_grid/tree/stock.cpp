#include "agents/organic_grid/tree/stock.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::agents::grid {

void Stock::enter(const std::vector<Task>& tasks) {
  known_tasks_.add(tasks);
  add(tasks);
}

void Stock::add(std::span<const Task> tasks) {
  for (const Task& task : tasks) pool_.push(task);
  if (lineage_.is_root()) return;
  for (const Task& task : tasks) trail_.come(task.id, {up_.parent(), up_.epoch()});
}

Task Stock::take(Env& env) { return lend({env.self()}, env.now()); }

Task Stock::lend(Books::Borrower borrower, Time now) {
  Task task = pool_.pop();
  books_.lend(task, borrower, now);
  return task;
}

// A second result of a task is dropped only while this node holds the first one unsent. A result
// that was sent may be lost in a re-parenting before it is confirmed; then the second is the only
// one.
void Stock::take_result(Env& env, const Result& result) {
  if (up_.holds_unsent(result.task)) return;
  books_.settle(result.task, result.pace);
  if (reissued_.contains(result.task))
    pool_.erase_if([&](const Task& task) { return task.id == result.task; });
  if (!lineage_.is_root()) {
    up_.hold(result);
  } else if (known_tasks_.knows(result.task)) {
    known_tasks_.finish(result.task);
    env.raise(Finished{result.task, result.executor});
  }
}

void Stock::reissue(Env& env, const Task& task, PeerId from, std::string_view reason) {
  if (known_tasks_.done(task.id) || up_.holds(task.id)) return;
  env.note(TaskReissued{task.id, from, std::string(reason)});
  reissued_.insert(task.id);
  pool_.push(task);
}

void Stock::recall(Env& env, Books::Borrower borrower, std::string_view reason) {
  for (const Task& task : books_.recall(borrower)) reissue(env, task, borrower.peer, reason);
}

void Stock::put_back(const Task& task) {
  books_.cancel(task.id);
  if (!known_tasks_.done(task.id)) pool_.push_first(task);
}

void Stock::part_with(Books::Borrower borrower) {
  if (lineage_.is_root()) {
    books_.disown(borrower);
  } else {
    for (const Task& task : books_.recall(borrower))
      trail_.leave(task.id, borrower.peer, up_.last_epoch());
  }
}

std::vector<Books::Entry> Stock::doubtful(Env& env) {
  std::vector<Books::Entry> entries =
      books_.doubtful(env.now(), {.factor = home_.options.doubt,
                                  .least = home_.options.timeout,
                                  .pace = 1 / home_.capacity.speed});
  std::erase_if(entries, [&](const auto& entry) { return entry.borrower.peer == env.self(); });
  return entries;
}

bool Stock::waits(TaskId id) const {
  return pool_.any_of([id](const Task& task) { return task.id == id; });
}

void Stock::give_back(TaskId id) {
  pool_.erase_if([id](const Task& task) { return task.id == id; });
  books_.cancel(id);
  trail_.leave(id, lineage_.root(), up_.last_epoch());
}

void Stock::miss(Env& env, TaskId id, PeerId from, std::string_view reason) {
  const Books::Entry* entry = books_.find(id);
  if (entry == nullptr) return;
  const Task task = entry->task;
  books_.cancel(id);
  reissue(env, task, from, reason);
}

}  // namespace rhizome::agents::grid
