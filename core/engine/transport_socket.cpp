#include "core/engine/transport_socket.hpp"

#include <poll.h>

#include <cstring>

namespace rhizome::core {

zmq::context_t make_context(std::uint32_t sockets) {
  zmq::context_t context(0);  // no I/O thread: nothing leaves the process
  context.set(zmq::ctxopt::max_sockets, static_cast<int>(sockets));
  return context;
}

zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type) {
  zmq::socket_t socket(context, type);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::sndhwm, 0);
  socket.set(zmq::sockopt::rcvhwm, 0);
  return socket;
}

zmq::message_t frame(const Envelope& envelope, std::span<const std::byte> payload) {
  zmq::message_t message(sizeof(Envelope) + payload.size());
  auto* out = message.data<std::byte>();
  std::memcpy(out, &envelope, sizeof(Envelope));
  if (!payload.empty()) std::memcpy(out + sizeof(Envelope), payload.data(), payload.size());
  return message;
}

SocketInbox::SocketInbox(zmq::socket_t socket) : socket_(std::move(socket)) {}

void SocketInbox::set_timeout(int milliseconds) {
  if (milliseconds == timeout_) return;
  socket_.set(zmq::sockopt::rcvtimeo, milliseconds);
  timeout_ = milliseconds;
}

// Sleeps in ZeroMQ for whole milliseconds, and for the rest on its descriptor, which is finer. The
// descriptor may be waited for only once the socket has said that it is empty.
bool SocketInbox::wait_for(std::optional<std::chrono::nanoseconds> wait) {
  using std::chrono::milliseconds;
  if (!wait || *wait >= milliseconds(1)) {
    const auto whole = wait ? std::chrono::floor<milliseconds>(*wait) : milliseconds(-1);
    set_timeout(static_cast<int>(std::min<std::int64_t>(whole.count(), 3'600'000)));
    return socket_.recv(message_, zmq::recv_flags::none).has_value();
  }
  if (socket_.recv(message_, zmq::recv_flags::dontwait)) return true;
  if (wait->count() <= 0) return false;
  pollfd ready{.fd = socket_.get(zmq::sockopt::fd), .events = POLLIN, .revents = 0};
  const timespec rest{.tv_sec = 0, .tv_nsec = wait->count()};
  static_cast<void>(ppoll(&ready, 1, &rest, nullptr));  // an early wake is harmless
  return socket_.recv(message_, zmq::recv_flags::dontwait).has_value();
}

std::optional<Delivery> SocketInbox::receive(std::optional<std::chrono::nanoseconds> wait) {
  if (!wait_for(wait)) return {};
  static_cast<void>(put_.load(std::memory_order_acquire));  // pairs with count_put
  ++taken_;
  Delivery delivery;
  std::memcpy(&delivery.envelope, message_.data(), sizeof(Envelope));
  delivery.payload =
      std::span(message_.data<const std::byte>(), message_.size()).subspan(sizeof(Envelope));
  return delivery;
}

}  // namespace rhizome::core
