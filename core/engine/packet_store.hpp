// Packets under way in virtual time. Slots are reused with the memory of their payloads, and most
// payloads are so short that they stand in the slot: a packet is one place of memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/peer/packet.hpp"
#include "core/peer/prefetch.hpp"
#include "core/peer/small_vector.hpp"

namespace rhizome::core {

class PacketStore {
 public:
  // `payload` may be that of a packet in this store.
  std::uint32_t put(const PacketHeader& header, std::span<const std::byte> payload) {
    if (free_.empty()) add_slots();
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    at(slot).header = header;
    at(slot).payload.assign(payload.data(), payload.data() + payload.size());
    return slot;
  }
  // The payload is valid until the slot is released.
  [[nodiscard]] Packet get(std::uint32_t slot) const {
    const Stored& stored = at(slot);
    return {stored.header, {stored.payload.data(), stored.payload.size()}};
  }
  void prefetch(std::uint32_t slot) const { core::prefetch(&at(slot), sizeof(Stored)); }
  void release(std::uint32_t slot) { free_.push_back(slot); }

 private:
  struct alignas(64) Stored {  // two lines
    PacketHeader header;
    SmallVector<std::byte, 56> payload;
  };
  static constexpr std::uint32_t together = 256;
  using Slots = std::array<Stored, together>;

  void add_slots() {
    const auto first = static_cast<std::uint32_t>(slots_.size()) * together;
    slots_.push_back(std::make_unique<Slots>());
    for (std::uint32_t i = together; i > 0; --i) free_.push_back(first + i - 1);
  }
  [[nodiscard]] Stored& at(std::uint32_t slot) const {
    return (*slots_[slot / together])[slot % together];
  }

  std::vector<std::unique_ptr<Slots>> slots_;  // they never move, so payloads do not move either
  std::vector<std::uint32_t> free_;
};

}  // namespace rhizome::core
