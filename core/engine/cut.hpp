// A cut by hand: some peers are parted from all others while a run goes on, until the cut is
// healed.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Changed by one thread, read by all threads that send.
class Cut {
 public:
  using Side = std::vector<bool>;  // by peer; peers beyond its end are on the other side

  void part(Side side) {
    sides_.push_back(std::make_unique<const Side>(std::move(side)));
    side_.store(sides_.back().get(), std::memory_order_release);
  }
  void heal() { side_.store(nullptr, std::memory_order_release); }

  [[nodiscard]] bool is_parted() const { return side_.load(std::memory_order_acquire) != nullptr; }
  [[nodiscard]] bool parts(PeerId one, PeerId other) const {
    const Side* side = side_.load(std::memory_order_acquire);
    return side != nullptr && is_on(*side, one) != is_on(*side, other);
  }

 private:
  [[nodiscard]] static bool is_on(const Side& side, PeerId peer) {
    return peer.value < side.size() && side[peer.value];
  }

  // All sides so far. They stay unchanged, because a thread may still read any of them.
  std::vector<std::unique_ptr<const Side>> sides_;
  std::atomic<const Side*> side_{nullptr};  // none: no peer is cut off
};

// Drops packets that cross the cut, at their sender. The cut outlives the link.
class CutLink final : public Link {
 public:
  explicit CutLink(const Cut& cut) : cut_(cut) {}
  [[nodiscard]] LinkVerdict judge(Time, const PacketHeader& header, Rng&) const override {
    return cut_.parts(header.from, header.to) ? LinkVerdict::drop(Drop::partitioned)
                                              : LinkVerdict::pass();
  }

 private:
  const Cut& cut_;
};

}  // namespace rhizome::core
