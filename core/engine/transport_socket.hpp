// What both transports share: framing and the inbox around a ZeroMQ socket. Included by the
// transports only, which are the door to ZeroMQ.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <zmq.hpp>

#include "core/engine/transport.hpp"

namespace rhizome::core {

// A context for in-process sockets only, allowed to hold `sockets` of them.
[[nodiscard]] zmq::context_t make_context(std::uint32_t sockets);

// Without a high-water mark, and discarding at close what nobody has read.
[[nodiscard]] zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type);

// Envelope and payload in one message. They never leave the process, so the bytes are those of the
// struct.
[[nodiscard]] zmq::message_t frame(const Envelope& envelope, std::span<const std::byte> payload);

class SocketInbox final : public Inbox {
 public:
  explicit SocketInbox(zmq::socket_t socket);
  [[nodiscard]] std::optional<Delivery> receive(
      std::optional<std::chrono::nanoseconds> wait) override;
  [[nodiscard]] std::uint64_t depth() const override {
    return put_.load(std::memory_order_acquire) - taken_;
  }
  // To be called by senders, before the send.
  void count_put() { put_.fetch_add(1, std::memory_order_release); }
  [[nodiscard]] zmq::socket_t& socket() { return socket_; }

 private:
  [[nodiscard]] bool wait_for(std::optional<std::chrono::nanoseconds> wait);
  void set_timeout(int milliseconds);

  zmq::socket_t socket_;
  zmq::message_t message_;
  int timeout_ = -1;  // the socket's present receive time-out
  std::uint64_t taken_ = 0;
  std::atomic<std::uint64_t> put_{0};
};

}  // namespace rhizome::core
