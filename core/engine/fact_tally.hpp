// A tally: how often each type of fact has been noted in a run, by whomever. It loses nothing, so
// that an observer knows how many tasks are done although its tap ran over.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/peer/fact.hpp"

namespace rhizome::core {

class FactTally {
 public:
  static constexpr std::size_t most = 64;  // types; a scheduler has a third of that

  // From any thread.
  void add(const FactInfo* info) {
    for (Row& row : rows_)
      if (row.belongs_to(info)) {
        row.count.fetch_add(1, std::memory_order_relaxed);
        return;
      }
    others_.fetch_add(1, std::memory_order_relaxed);
  }

  // From any thread.
  [[nodiscard]] std::uint64_t count(const FactInfo& info) const {
    std::uint64_t found = 0;
    for_each(
        [&](const FactInfo& type, std::uint64_t count) { found += &type == &info ? count : 0; });
    return found;
  }
  // From any thread: calls f(type, count) for each type that has been noted, in no order.
  template <class F>
  void for_each(F&& f) const {
    for (const Row& row : rows_)
      if (const FactInfo* info = row.info.load(std::memory_order_relaxed))
        f(*info, row.count.load(std::memory_order_relaxed));
  }
  // Of types that came when every row was taken.
  [[nodiscard]] std::uint64_t others() const { return others_.load(std::memory_order_relaxed); }

 private:
  struct Row {
    // Takes the row if it is free.
    [[nodiscard]] bool belongs_to(const FactInfo* wanted) {
      const FactInfo* present = info.load(std::memory_order_relaxed);
      if (present == nullptr &&
          info.compare_exchange_strong(present, wanted, std::memory_order_relaxed))
        return true;
      return present == wanted;
    }
    std::atomic<const FactInfo*> info{nullptr};
    std::atomic<std::uint64_t> count{0};
  };

  std::array<Row, most> rows_;
  std::atomic<std::uint64_t> others_{0};
};

}  // namespace rhizome::core
