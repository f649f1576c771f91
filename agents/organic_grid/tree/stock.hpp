// The tasks of a node: those that wait here, those that are lent to children or to this peer, and
// at the root the set of all tasks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/trail.hpp"
#include "agents/organic_grid/tree/upstream.hpp"
#include "agents/task.hpp"
#include "agents/task_queue.hpp"
#include "agents/task_set.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::grid {

// The books of one node: tasks whose results have not come back, and their borrowers, so that tasks
// of a dead child can be handed out again, and tasks out for long can be asked for.
class Books {
 public:
  // The borrower of a task: a child in one of its stays, or the node itself.
  struct Borrower {
    static constexpr std::uint64_t elsewhere = ~std::uint64_t{0};  // of one that has moved away
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
  // It came back as it was.
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
    double factor;         // of the time that it takes at the usual pace
    core::Duration least;  // in any case
    double pace;           // that is usual before the first result
  };
  // Tasks that have been out for longer; each has twice as long the next time.
  [[nodiscard]] std::vector<Entry> doubtful(core::Time now, const Patience& patience);
  [[nodiscard]] std::size_t size() const { return lent_.size(); }

 private:
  std::map<TaskId, Entry> lent_;
  double pace_ = 0;  // a running mean; 0 before the first result
};

class Stock {
 public:
  // Results go up there, unless this is the root.
  Stock(const Lineage& lineage, const Home& home, Upstream& up, Trail& trail)
      : lineage_(lineage), home_(home), up_(up), trail_(trail), pool_(home.capacity) {}

  [[nodiscard]] bool empty() const { return pool_.empty(); }
  [[nodiscard]] std::size_t size() const { return pool_.size(); }
  // The first by the discipline of this peer.
  [[nodiscard]] const Task* next() const { return pool_.empty() ? nullptr : &pool_.front(); }

  // Tasks that were submitted here, at the root; or came from the parent.
  void enter(const std::vector<Task>& tasks);
  void add(std::span<const Task> tasks);
  // Takes the next task: for this peer itself, or for a child.
  Task take(Env& env);
  Task lend(Books::Borrower borrower, Time now);
  // A result that has come here, from wherever.
  void take_result(Env& env, const Result& result);

  // Hands a task out again whose executor `from` is lost.
  void reissue(Env& env, const Task& task, PeerId from, std::string_view reason);
  // Hands out again all tasks of a borrower.
  void recall(Env& env, Books::Borrower borrower, std::string_view reason);
  // A task that never arrived at its borrower is here as before.
  void put_back(const Task& task);
  // The borrower has moved to another parent with its tasks.
  void part_with(Books::Borrower borrower);

  // Tasks that others have, out for so long that they are to be asked for.
  [[nodiscard]] std::vector<Books::Entry> doubtful(Env& env);
  // The borrower of a task; nullptr if it is not lent.
  [[nodiscard]] const Books::Entry* lent(TaskId task) const { return books_.find(task); }
  // Something that it was lent has not come back.
  [[nodiscard]] bool lends(Books::Borrower borrower) const { return books_.lends(borrower); }
  [[nodiscard]] bool waits(TaskId task) const;
  // A task that waits here goes back to the root, which has asked for it.
  void give_back(TaskId task);
  // No peer has a task that was lent: it is to be handed out again.
  void miss(Env& env, TaskId task, PeerId from, std::string_view reason);

 private:
  const Lineage& lineage_;
  const Home& home_;
  Upstream& up_;
  Trail& trail_;
  TaskSet known_tasks_;  // at the root only
  Books books_;
  TaskQueue<Task> pool_;
  std::set<TaskId> reissued_;
};

}  // namespace rhizome::agents::grid
