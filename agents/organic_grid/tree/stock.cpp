#include "agents/organic_grid/tree/stock.hpp"

#include <cmath>

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

void Books::settle(TaskId id, double pace) {
  if (lent_.erase(id) == 0) return;
  pace_ = pace_ > 0 ? pace_ + (pace - pace_) / 8 : pace;
}

std::vector<Task> Books::recall(Borrower borrower) {
  std::vector<Task> tasks;
  for (const auto& [id, entry] : lent_)
    if (entry.borrower == borrower) tasks.push_back(entry.task);
  std::erase_if(lent_, [&](const auto& item) { return item.second.borrower == borrower; });
  return tasks;
}

std::vector<Books::Entry> Books::doubtful(core::Time now, const Patience& patience) {
  std::vector<Entry> found;
  const double pace = pace_ > 0 ? pace_ : patience.pace;
  for (auto& [id, entry] : lent_) {
    const double times = std::ldexp(patience.factor, static_cast<int>(std::min(entry.asked, 16U)));
    const double usual = times * pace * core::seconds(entry.task.duration);
    const double least =
        std::ldexp(core::seconds(patience.least), static_cast<int>(std::min(entry.asked, 16U)));
    if (core::seconds(now - entry.since) <= std::max(usual, least)) continue;
    found.push_back(entry);
    ++entry.asked;
  }
  return found;
}

}  // namespace rhizome::agents::grid
