// A tap: the facts of a run as they are noted, for one reader beside it. It holds so many and no
// more: what does not fit is lost and counted, and whoever notes never waits for the reader. Slots
// in a ring take turns, as in D. Vyukov's bounded queue: of each it is known whose turn it is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// A fact as it was noted, still encoded.
struct TappedFact {
  PeerId peer;
  Incarnation life;
  Time at{};
  const FactInfo* info = nullptr;
  Bytes payload;

  [[nodiscard]] EncodedFact fact() const { return {info, payload}; }
};

// Counted exactly: whatever was put in was taken, or is lost, or waits.
class FactTap {
 public:
  // Holds at least so many facts, two or more.
  explicit FactTap(std::size_t facts);

  // From any thread. Full, it loses the fact.
  void put(PeerId peer, Incarnation life, Time at, const EncodedFact& fact);

  // The reader's, one thread at a time: hands f what waits, a ring full at most, and returns how
  // much it was. The facts of a peer come in the order in which it noted them. What f is handed
  // lives until it returns.
  template <class F>
  std::size_t take(F&& f) {
    std::size_t taken = 0;
    for (; taken < slots_.size(); ++taken) {
      Slot& slot = slots_[read_ & mask_];
      if (slot.turn.load(std::memory_order_acquire) != read_ + 1) break;
      f(static_cast<const TappedFact&>(slot.fact));
      slot.turn.store(read_ + slots_.size(), std::memory_order_release);
      ++read_;
    }
    return taken;
  }

  // From any thread: since the beginning.
  [[nodiscard]] std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  // A writer's, whose place equals its turn; the reader's, whose place is one less.
  struct Slot {
    std::atomic<std::uint64_t> turn{0};
    TappedFact fact;
  };
  // The slot to be written next, now the caller's; nullptr if it still waits for the reader.
  [[nodiscard]] Slot* claim(std::uint64_t& place);

  std::vector<Slot> slots_;
  std::size_t mask_;
  // Each on a cache line of its own: the reader writes the first, and writers the others.
  alignas(64) std::uint64_t read_ = 0;  // the reader's place
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::atomic<std::uint64_t> lost_{0};
};

}  // namespace rhizome::core
