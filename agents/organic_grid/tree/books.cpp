#include "agents/organic_grid/tree/books.hpp"

#include <cmath>

namespace rhizome::agents::grid {

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
