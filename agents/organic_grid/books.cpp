#include "agents/organic_grid/books.hpp"

#include <algorithm>

namespace rhizome::agents::grid {

void Books::settle(TaskId id, core::Time now) {
  const auto found = lent_.find(id);
  if (found == lent_.end()) return;
  const Entry& entry = found->second;
  const double duration = std::max(core::seconds(entry.task.duration), 1e-6);
  // Steps that balance where one result in ten is later: a quantile, unmoved by the few very late.
  stretch_ *= core::seconds(now - entry.since) / duration > stretch_ ? 1.09 : 0.99;
  lent_.erase(found);
}

std::vector<Task> Books::recall(core::PeerId child) {
  std::vector<Task> tasks;
  for (const auto& [id, entry] : lent_)
    if (entry.child == child) tasks.push_back(entry.task);
  forget(child);
  return tasks;
}

std::vector<Books::Entry> Books::overdue(core::Time now, double factor, core::Duration least,
                                         std::size_t most) {
  std::vector<Entry> found;
  for (auto& [id, entry] : lent_) {
    if (found.size() >= most) break;
    const core::Duration usual =
        core::from_seconds(factor * stretch_ * core::seconds(entry.task.duration));
    if (now - entry.since <= std::max(usual, least)) continue;
    found.push_back(entry);
    entry.since = now;
  }
  return found;
}

}  // namespace rhizome::agents::grid
