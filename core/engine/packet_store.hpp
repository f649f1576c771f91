// Packets under way in virtual time. Slots are reused with the memory of their payloads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/prefetch.hpp"

namespace rhizome::core {

class PacketStore {
 public:
  // `payload` may be that of a packet in this store.
  std::uint32_t put(const PacketHeader& header, std::span<const std::byte> payload) {
    std::uint32_t slot = static_cast<std::uint32_t>(packets_.size());
    if (free_.empty()) {
      packets_.emplace_back();  // which moves the others, and not their payloads
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    packets_[slot].header = header;
    packets_[slot].payload.assign(payload.begin(), payload.end());
    return slot;
  }
  // The payload is valid until the slot is released.
  [[nodiscard]] Packet get(std::uint32_t slot) const {
    return {packets_[slot].header, packets_[slot].payload};
  }
  // In two steps, for the payload is found through the rest.
  void prefetch(std::uint32_t slot) const { core::prefetch(&packets_[slot], sizeof(Stored)); }
  void prefetch_payload(std::uint32_t slot) const {
    core::prefetch(packets_[slot].payload.data(), 1);
  }
  void postpone(std::uint32_t slot, Time due) { packets_[slot].header.due = due; }
  void release(std::uint32_t slot) { free_.push_back(slot); }

 private:
  struct Stored {
    PacketHeader header;
    Bytes payload;
  };
  std::vector<Stored> packets_;
  std::vector<std::uint32_t> free_;
};

}  // namespace rhizome::core
