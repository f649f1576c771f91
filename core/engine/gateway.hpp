// Where packets cross the border of a share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/peer/interface.hpp"
#include "core/peer/packet.hpp"

namespace rhizome::core {

// The way out of a share and, with the same functions, the way in: an item that is put into the
// gateway of one share and taken comes out at the entrance of another, once, and in the order in
// which the one share put its items in for the other. Called from any thread.
class Gateway : public Interface {
 public:
  // Sends a packet to the share that runs its receiver. The payload is the caller's. Returns why
  // the packet is not taken, if it is not: the packet has ended here.
  [[nodiscard]] virtual std::optional<Drop> put(const PacketHeader& header,
                                                std::span<const std::byte> payload) = 0;
  // Announces a new life to all other shares. The news goes the way of packets, so that no peer
  // hears from an unknown life, and sends its answer to a former one.
  virtual void begins(PeerId peer, Incarnation life) = 0;
};

}  // namespace rhizome::core
