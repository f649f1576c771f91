// What both transports share: framing and the inbox around a ZeroMQ socket. Included by the
// transports only, which are the door to ZeroMQ.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <zmq.hpp>

#include "core/engine/doorbell.hpp"
#include "core/engine/transport.hpp"

namespace rhizome::core {

// A context for in-process sockets only, allowed to hold `sockets` of them.
[[nodiscard]] zmq::context_t make_context(std::uint32_t sockets);

// Without a high-water mark; discards unread messages at close.
[[nodiscard]] zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type);

// A transport of type T. Throws std::system_error if the system lacks resources for it.
template <class T>
[[nodiscard]] std::unique_ptr<Transport> opened(std::uint32_t peers) {
  try {
    return std::make_unique<T>(peers);
  } catch (const zmq::error_t& error) {
    throw std::system_error(error.num(), std::generic_category());
  }
}

// Envelope and payload in one message. The message never leaves the process, so its bytes are those
// of the struct. Throws std::bad_alloc, as all other functions here do.
[[nodiscard]] zmq::message_t frame(const Envelope& envelope, std::span<const std::byte> payload);

// Reads only what the doorbell has announced: a ZeroMQ pipe whose reader never finds it empty never
// signals, so no descriptor is written, polled or read.
class SocketInbox final : public Inbox {
 public:
  explicit SocketInbox(zmq::socket_t socket) : socket_(std::move(socket)) {}
  [[nodiscard]] std::optional<Delivery> receive(
      std::optional<std::chrono::nanoseconds> wait) override;
  [[nodiscard]] std::uint64_t depth() const override { return doorbell_.waiting(); }
  // To be called by senders, after the send.
  void announce() { doorbell_.put(); }

 private:
  zmq::socket_t socket_;
  zmq::message_t message_;
  Doorbell doorbell_;
};

}  // namespace rhizome::core
