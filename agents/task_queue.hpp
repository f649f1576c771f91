// The queue of a peer whose scheduler may still give tasks to other peers: tasks that have come and
// have not been handed to the peer's server, in the order of its discipline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "agents/discipline.hpp"
#include "agents/resources.hpp"
#include "agents/service_time.hpp"
#include "agents/task.hpp"

namespace rhizome::agents {

// An item is a task, or has one as its member `task`.
template <class Item>
class TaskQueue {
 public:
  explicit TaskQueue(const Capacity& capacity)
      : discipline_(&discipline_of(capacity.discipline)), speed_(capacity.speed) {}

  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  void clear() { items_.clear(); }

  // Adds an item behind items of equal rank.
  void push(Item item) {
    const Place place{rank_of(task_of(item), *discipline_, speed_), ++last_};
    items_.emplace(place, std::move(item));
  }
  // Adds an item before items of equal rank.
  void push_first(Item item) {
    const Place place{rank_of(task_of(item), *discipline_, speed_), --first_};
    items_.emplace(place, std::move(item));
  }
  // The item whose turn is next, and the one whose turn is last. The queue must not be empty.
  [[nodiscard]] const Item& front() const { return items_.begin()->second; }
  Item pop() { return std::move(items_.extract(items_.begin()).mapped()); }
  Item pop_last() { return std::move(items_.extract(std::prev(items_.end())).mapped()); }

  template <class F>
  [[nodiscard]] bool any_of(F holds) const {
    for (const auto& [place, item] : items_)
      if (holds(item)) return true;
    return false;
  }
  // Removes the items for which `goes(item)` is true; returns how many.
  template <class F>
  std::size_t erase_if(F goes) {
    return std::erase_if(items_, [&](const auto& entry) { return goes(entry.second); });
  }

 private:
  using Place = std::pair<core::Duration, std::int64_t>;  // rank and number

  static const Task& task_of(const Task& task) { return task; }
  template <class Other>
  static const Task& task_of(const Other& item) {
    return item.task;
  }

  const Discipline* discipline_;
  double speed_;
  std::map<Place, Item> items_;
  std::int64_t last_ = 0;
  std::int64_t first_ = 0;
};

}  // namespace rhizome::agents
