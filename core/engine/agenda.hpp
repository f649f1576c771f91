// An agenda: the items that are due, ordered by time and then by insertion, so that equal times
// never depend on addresses. A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, J. ACM 37, 1990): it
// is never asked for the past, so a rough order is enough for items far ahead, and with a million
// timers it reads memory from end to end where a binary heap would jump about.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::core {

// The present is the time of the last pop, and zero before it. Items due by then form a queue; any
// other item is in the bucket of the highest bit in which its time differs from the present. Items
// of equal time are always in the same place, in the order of their insertion.
template <class Item>
class Agenda {
 public:
  // How soon an item comes.
  enum class Nearness : std::uint8_t { near, next };

  void push(Time due, Item item) {
    ++size_;
    if (due <= present_) {
      immediate_.push_back(std::move(item));
      return;
    }
    next_ = std::min(next_, due);
    put({due, std::move(item)});
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // When the next item is due; the agenda must not be empty.
  [[nodiscard]] Time next_due() const { return immediate_.empty() ? next_ : present_; }

  // Takes the next item; the agenda must not be empty.
  Item pop() {
    return pop([](const Item&, Nearness) {});
  }
  // The same. Calls foresee(item, nearness) for items that come soon, most of them first as near
  // and then as next. The order of items ahead is rough, so foresee() is never called for some
  // items, and often for others.
  template <class F>
  Item pop(F&& foresee) {
    if (immediate_.empty()) advance(foresee);
    if (immediate_.size() > queue_near) foresee(immediate_[queue_near], Nearness::near);
    if (immediate_.size() > queue_next) foresee(immediate_[queue_next], Nearness::next);
    Item item = std::move(immediate_.front());
    immediate_.pop_front();
    --size_;
    return item;
  }

  // Calls f(item) for all that is left, in no particular order.
  template <class F>
  void for_each(F&& f) const {
    for (const Bucket& bucket : buckets_)
      for (const Entry& entry : bucket) f(entry.item);
    for (const Item& item : immediate_) f(item);
  }

 private:
  // How many places from the front of the queue an item is near or next, or in a bucket of how few.
  static constexpr std::size_t queue_near = 6;
  static constexpr std::size_t queue_next = 3;
  static constexpr std::size_t bucket_near = 64;
  static constexpr std::size_t bucket_next = 16;

  struct Entry {
    Time due;
    Item item;
  };
  using Bucket = std::vector<Entry>;

  void put(Entry entry) {
    const auto differing = static_cast<std::uint64_t>(entry.due.time_since_epoch().count() ^
                                                      present_.time_since_epoch().count());
    const auto highest = static_cast<std::size_t>(std::bit_width(differing)) - 1;
    if (highest >= buckets_.size()) buckets_.resize(highest + 1);
    buckets_[highest].push_back(std::move(entry));
    occupied_ |= std::uint64_t{1} << highest;
  }

  [[nodiscard]] Bucket& lowest() {
    return buckets_[static_cast<std::size_t>(std::countr_zero(occupied_))];
  }

  // Makes the next item's time the present. Only the lowest bucket has to be opened for it: items
  // in a higher bucket still differ in the same bit.
  template <class F>
  void advance(F& foresee) {
    present_ = next_;
    Bucket& from = lowest();
    Bucket opened = std::exchange(from, {});
    occupied_ &= occupied_ - 1;
    tell(opened, foresee);
    for (Entry& entry : opened)
      if (entry.due == present_)
        immediate_.push_back(std::move(entry.item));
      else
        put(std::move(entry));
    opened.clear();
    from = std::move(opened);  // keeps its memory: all of its items have gone lower
    next_ = earliest();
  }

  template <class F>
  static void tell(const Bucket& opened, F& foresee) {
    if (opened.size() > bucket_near) return;
    const auto nearness = opened.size() > bucket_next ? Nearness::near : Nearness::next;
    for (const Entry& entry : opened) foresee(entry.item, nearness);
  }

  [[nodiscard]] Time earliest() {
    if (occupied_ == 0) return Time::max();
    const auto before = [](const Entry& a, const Entry& b) { return a.due < b.due; };
    return std::min_element(lowest().begin(), lowest().end(), before)->due;
  }

  std::deque<Item> immediate_;
  std::vector<Bucket> buckets_;  // as many as have been needed
  std::uint64_t occupied_ = 0;   // a bit for every bucket that holds something
  std::size_t size_ = 0;
  Time present_{};
  Time next_ = Time::max();  // the earliest in all buckets
};

}  // namespace rhizome::core
