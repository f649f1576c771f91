// An agenda: what is due, ordered by time and then by insertion, so that equal times never depend
// on addresses or on the shape of a heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::core {

// Items due at or before the time of the last pop skip the heap: they go to a queue behind
// everything of the same time that is in the heap, which is just where insertion order puts them.
template <class Item>
class Agenda {
 public:
  void push(Time due, Item item) {
    if (due <= present_) {
      immediate_.push_back(std::move(item));
      return;
    }
    heap_.push_back({due, inserted_++, std::move(item)});
    rise(heap_.size() - 1);
  }

  [[nodiscard]] bool empty() const { return heap_.empty() && immediate_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size() + immediate_.size(); }
  // When the next item is due; the agenda must not be empty.
  [[nodiscard]] Time next_due() const { return immediate_.empty() ? heap_.front().due : present_; }

  // Takes the next item; the agenda must not be empty.
  Item pop() {
    if (!immediate_.empty() && (heap_.empty() || heap_.front().due > present_)) {
      Item item = std::move(immediate_.front());
      immediate_.pop_front();
      return item;
    }
    present_ = std::max(present_, heap_.front().due);
    return pop_heap();
  }

  // Calls f(item) for all that is left, in no particular order.
  template <class F>
  void for_each(F&& f) const {
    for (const Entry& entry : heap_) f(entry.item);
    for (const Item& item : immediate_) f(item);
  }

 private:
  struct Entry {
    Time due;
    std::uint64_t order;
    Item item;
    bool before(const Entry& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };
  static constexpr std::size_t arity = 4;  // flatter than a binary heap, so fewer cache misses

  Item pop_heap() {
    Item item = std::move(heap_.front().item);
    Entry last = std::move(heap_.back());
    heap_.pop_back();
    if (!heap_.empty()) sink(std::move(last));
    return item;
  }

  void rise(std::size_t i) {
    Entry entry = std::move(heap_[i]);
    while (i > 0 && entry.before(heap_[(i - 1) / arity])) {
      heap_[i] = std::move(heap_[(i - 1) / arity]);
      i = (i - 1) / arity;
    }
    heap_[i] = std::move(entry);
  }

  // Places `entry` from the root down.
  void sink(Entry entry) {
    std::size_t i = 0;
    for (;;) {
      const std::size_t first = i * arity + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      const std::size_t end = std::min(first + arity, heap_.size());
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (!heap_[least].before(entry)) break;
      heap_[i] = std::move(heap_[least]);
      i = least;
    }
    heap_[i] = std::move(entry);
  }

  std::vector<Entry> heap_;
  std::deque<Item> immediate_;
  std::uint64_t inserted_ = 0;
  Time present_ = Time::min();
};

}  // namespace rhizome::core
