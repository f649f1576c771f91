// A numbered stream of items from one peer to another: if the network loses or doubles messages,
// every item is still taken once and in order. The sender keeps unacknowledged items and sends them
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::agents::grid {

// The sender's end.
template <class T>
class Outbox {
 public:
  // The number of the oldest item kept, and of the next to come.
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t next() const { return first_ + items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const std::deque<T>& items() const { return items_; }

  // Sends `item` at `now`.
  void push(T item, core::Time now) {
    if (items_.empty()) oldest_ = now;
    items_.push_back(std::move(item));
    newest_ = now;
  }
  // The receiver has all items below `number`; an acknowledgement of items that were never sent is
  // ignored. Returns the items that are no longer kept.
  std::vector<T> acknowledge(std::uint64_t number) {
    std::vector<T> gone;
    const std::uint64_t come = std::min(number, next());
    if (come <= first_) return gone;
    for (; first_ < come; ++first_) {
      gone.push_back(std::move(items_.front()));
      items_.pop_front();
    }
    oldest_ = newest_;
    return gone;
  }
  // Whether an item sent before `then` is still unacknowledged. Once some items are acknowledged,
  // the rest counts as sent with the newest one, which may wait too long but never too little.
  [[nodiscard]] bool waits_since(core::Time then) const {
    return !items_.empty() && oldest_ < then;
  }
  // All that is kept, to be sent again at `now`.
  [[nodiscard]] std::vector<T> again(core::Time now) {
    oldest_ = newest_ = now;
    return {items_.begin(), items_.end()};
  }

 private:
  std::deque<T> items_;
  std::uint64_t first_ = 0;
  core::Time oldest_{};
  core::Time newest_{};
};

// The receiver's end.
class StreamInbox {
 public:
  // All numbers below have come.
  [[nodiscard]] std::uint64_t next() const { return next_; }
  // The number of items to skip of `count` numbered from `first` on: those that came before; or all
  // if earlier ones are missing, since they will come again.
  std::size_t take(std::uint64_t first, std::size_t count) {
    if (first > next_ || next_ - first >= count) return count;
    const auto old = static_cast<std::size_t>(next_ - first);
    next_ = first + count;
    return old;
  }

 private:
  std::uint64_t next_ = 0;
};

}  // namespace rhizome::agents::grid
