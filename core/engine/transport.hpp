// The transport inside one process: every peer has a ZeroMQ inbox, and senders put straight into
// it. No hub thread stands in the path.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/history/host_event.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// A message to a peer's thread: a packet of another peer, or a notice of its engine.
struct Envelope {
  std::optional<HostEvent> event{};                 // none: it only wakes the thread
  PacketHeader header{};                            // of a packet; of an input when it is due
  Result::Verdict verdict = Result::Verdict::none;  // of a result, whose value is the payload
  std::uint64_t number = 0;                         // of a packet or an input, as in Matter
};

// One received message: the envelope, and a payload that lives until the next receive.
struct Delivery {
  Envelope envelope;
  std::span<const std::byte> payload;
};

// The receiving end of one peer. Used by one thread at a time.
class Inbox : public Interface {
 public:
  // The next message. Sleeps until there is one, at most `wait` of real time (for ever without
  // one), and wakes early rather than late.
  [[nodiscard]] virtual std::optional<Delivery> receive(
      std::optional<std::chrono::nanoseconds> wait) = 0;
  // Messages put in and not yet received.
  [[nodiscard]] virtual std::uint64_t depth() const = 0;
};

// Inboxes are unlimited, so a send never blocks; their depth is watched instead.
class Transport : public Interface {
 public:
  // From any thread.
  virtual void send(PeerId to, const Envelope& envelope, std::span<const std::byte> payload) = 0;
  [[nodiscard]] virtual Inbox& inbox(PeerId peer) = 0;
  // Called once no peer sends or receives any more. Returns early: the destructor waits for the
  // rest, so that the caller can do other work while thousands of inboxes close.
  virtual void close() = 0;
};

// A PULL inbox per peer, and one PUSH per inbox that all senders share under a mutex: the fastest
// of the patterns measured, at two file descriptors per peer.
[[nodiscard]] std::unique_ptr<Transport> make_direct_transport(std::uint32_t peers);

// A DEALER inbox per peer, and a few ROUTERs that senders share, striped by destination: about half
// as fast, at one file descriptor per peer.
[[nodiscard]] std::unique_ptr<Transport> make_striped_transport(std::uint32_t peers);

}  // namespace rhizome::core
