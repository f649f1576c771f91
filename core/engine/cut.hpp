// A cut by hand: some peers are parted from all others while a run goes on, until they are not.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "core/peer/link.hpp"

namespace rhizome::core {

// Changed by one thread, read by all that send.
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

  // All that there have been, none of which changes any more: somebody may still look at one.
  std::vector<std::unique_ptr<const Side>> sides_;
  std::atomic<const Side*> side_{nullptr};  // none: nobody is cut off
};

// Drops at its sender whatever crosses the cut, which outlives it.
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
