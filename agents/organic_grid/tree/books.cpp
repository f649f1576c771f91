#include "agents/organic_grid/tree/books.hpp"

#include <algorithm>
#include <cmath>

namespace rhizome::agents::grid {

void Books::settle(TaskId id, core::Time now) {
  const auto found = lent_.find(id);
  if (found == lent_.end()) return;
  const Entry& entry = found->second;
  const double wait = std::max(core::seconds(now - entry.since - entry.task.duration), 0.0);
  longest_ = std::max(longest_, wait);
  if (mean_ < 0) {
    mean_ = wait;
    deviation_ = wait / 2;
  } else {
    deviation_ += (std::abs(wait - mean_) - deviation_) / 4;
    mean_ += (wait - mean_) / 8;
  }
  lent_.erase(found);
}

// Before the first result one borrower may work through all that is lent.
double Books::usual_wait() const {
  if (mean_ >= 0) return std::min(mean_ + 4 * deviation_, longest_);
  double all = 0;
  for (const auto& [id, entry] : lent_) all += core::seconds(entry.task.duration);
  return all;
}

std::vector<Task> Books::recall(Borrower borrower) {
  std::vector<Task> tasks;
  for (const auto& [id, entry] : lent_)
    if (entry.borrower == borrower) tasks.push_back(entry.task);
  forget(borrower);
  return tasks;
}

std::vector<Books::Entry> Books::overdue(core::Time now, double factor, core::Duration least,
                                         std::size_t most) {
  std::vector<Entry> found;
  const double wait = usual_wait();
  for (auto& [id, entry] : lent_) {
    if (found.size() >= most) break;
    const double patience = std::ldexp(factor, static_cast<int>(std::min(entry.overdue, 16U)));
    const core::Duration usual =
        core::from_seconds(patience * (wait + core::seconds(entry.task.duration)));
    if (now - entry.since <= std::max(usual, least)) continue;
    found.push_back(entry);
    entry.since = now;
    ++entry.overdue;
  }
  return found;
}

}  // namespace rhizome::agents::grid
