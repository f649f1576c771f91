// How often one type of fact has been noted in a run, by any peer: for an observer that needs only
// this number, and not the cost of a board.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/peer/fact.hpp"

namespace rhizome::core {

class FactCount {
 public:
  explicit FactCount(const FactInfo& info) : info_(info) {}

  // All of these from any thread.
  void add(const FactInfo* info) {
    if (info == &info_) count_.fetch_add(1, std::memory_order_relaxed);
  }
  // How many are to come in all; 0: not known.
  void expect(std::uint64_t all) { expected_.store(all, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t expected() const { return expected_.load(std::memory_order_relaxed); }

 private:
  const FactInfo& info_;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> expected_{0};
};

}  // namespace rhizome::core
