// The books of one node: tasks whose results have not come back, and their borrowers, so that tasks
// of a dead child can be handed out again, and tasks out for long can be asked for.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

class Books {
 public:
  // The borrower of a task: a child in one of its stays, or the node itself.
  struct Borrower {
    static constexpr std::uint64_t elsewhere = ~std::uint64_t{0};  // the child has moved away
    core::PeerId peer;
    std::uint64_t epoch = 0;
    friend bool operator==(const Borrower&, const Borrower&) = default;
  };
  struct Entry {
    Task task;
    Borrower borrower;
    core::Time since{};
    std::uint32_t asked = 0;  // times
  };

  void lend(const Task& task, Borrower borrower, core::Time now) {
    Entry& entry = lent_[task.id];
    entry = {task, borrower, now, entry.asked};
  }
  // A result came, from any peer. `pace`: seconds of execution per second that the task takes on a
  // peer of speed 1.
  void settle(TaskId id, double pace);
  [[nodiscard]] const Entry* find(TaskId id) const {
    const auto found = lent_.find(id);
    return found == lent_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool lends(Borrower borrower) const {
    return std::any_of(lent_.begin(), lent_.end(),
                       [&](const auto& item) { return item.second.borrower == borrower; });
  }
  // Forgets a task that came back undone.
  void cancel(TaskId id) { lent_.erase(id); }
  // The tasks of a borrower, which are no longer lent.
  [[nodiscard]] std::vector<Task> recall(Borrower borrower);
  // At the root, which answers for every task: a child has gone elsewhere with its tasks, and their
  // results will not come this way.
  void disown(Borrower borrower) {
    for (auto& [id, entry] : lent_)
      if (entry.borrower == borrower) entry.borrower.epoch = Borrower::elsewhere;
  }
  // How long a task is out before it is asked for.
  struct Patience {
    double factor;         // times the usual duration of the task
    core::Duration least;  // in any case
    double pace;           // the usual duration before the first result
  };
  // Tasks that have been out for longer; each has twice as long the next time.
  [[nodiscard]] std::vector<Entry> doubtful(core::Time now, const Patience& patience);
  [[nodiscard]] std::size_t size() const { return lent_.size(); }

 private:
  std::map<TaskId, Entry> lent_;
  double pace_ = 0;  // a running mean; 0 before the first result
};

}  // namespace rhizome::agents::grid
