#include "core/engine/fact_tap.hpp"

#include <algorithm>
#include <bit>

namespace rhizome::core {

// With one slot a writer could not tell its turn from the reader's.
FactTap::FactTap(std::size_t facts)
    : slots_(std::bit_ceil(std::max<std::size_t>(facts, 2))), mask_(slots_.size() - 1) {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    slots_[i].turn.store(i, std::memory_order_relaxed);
}

auto FactTap::claim(std::uint64_t& place) -> Slot* {
  place = written_.load(std::memory_order_relaxed);
  for (;;) {
    Slot& slot = slots_[place & mask_];
    const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
    if (turn < place) return nullptr;
    if (turn > place) {  // another writer was here first
      place = written_.load(std::memory_order_relaxed);
    } else if (written_.compare_exchange_weak(place, place + 1, std::memory_order_relaxed)) {
      return &slot;
    }
  }
}

void FactTap::put(PeerId peer, Incarnation life, Time at, const EncodedFact& fact) {
  std::uint64_t place = 0;
  Slot* slot = claim(place);
  if (slot == nullptr) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  slot->fact.peer = peer;
  slot->fact.life = life;
  slot->fact.at = at;
  slot->fact.info = fact.info;
  slot->fact.payload.assign(fact.payload.begin(), fact.payload.end());
  slot->turn.store(place + 1, std::memory_order_release);
}

}  // namespace rhizome::core
