// The books of one node: tasks handed to children whose results have not come back, so that what a
// dead or slow child holds can be handed out again.
#pragma once

#include <map>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

class Books {
 public:
  // Whom a task was lent to: a child in one of its stays, or the node itself.
  struct Borrower {
    core::PeerId peer;
    std::uint64_t epoch = 0;
    friend bool operator==(const Borrower&, const Borrower&) = default;
  };
  struct Entry {
    Task task;
    Borrower borrower;
    core::Time since{};
    std::uint32_t overdue = 0;  // times
  };

  void lend(const Task& task, Borrower borrower, core::Time now) {
    Entry& entry = lent_[task.id];
    entry = {task, borrower, now, entry.overdue};
  }
  // A result came, whoever brought it.
  void settle(TaskId id, core::Time now);
  // It came back as it was, for it never arrived.
  void cancel(TaskId id) { lent_.erase(id); }
  // The tasks of a borrower, which are no longer lent.
  [[nodiscard]] std::vector<Task> recall(Borrower borrower);
  // A child has gone elsewhere with its tasks: their results will not come this way.
  void forget(Borrower borrower) {
    std::erase_if(lent_, [&](const auto& item) { return item.second.borrower == borrower; });
  }
  // The same at the root, which answers for every task: still lent, to nobody known.
  void disown(Borrower borrower) {
    for (auto& [id, entry] : lent_)
      if (entry.borrower == borrower) entry.borrower = {core::nobody};
  }
  // Up to `most` tasks lent for longer than `factor` times what is usual for their duration, and no
  // less than `least`; they count as lent anew from now on, and have twice as long the next time.
  [[nodiscard]] std::vector<Entry> overdue(core::Time now, double factor, core::Duration least,
                                           std::size_t most);
  [[nodiscard]] std::size_t size() const { return lent_.size(); }

 private:
  // Seconds between lending and result, the duration taken off, that are rarely exceeded: mean and
  // four deviations, as in TCP (RFC 6298), but no more than was ever seen, since few waits that are
  // far apart make a large deviation. A ratio to the duration would explode with the shortest of
  // unequal tasks.
  [[nodiscard]] double usual_wait() const;

  std::map<TaskId, Entry> lent_;
  double mean_ = -1;  // before the first result
  double deviation_ = 0;
  double longest_ = 0;
};

}  // namespace rhizome::agents::grid
