#include "core/engine/transport_socket.hpp"

#include <cstring>
#include <new>

namespace rhizome::core {

namespace {

zmq::message_t blank_message(std::size_t bytes) {
  try {
    return zmq::message_t(bytes);
  } catch (const zmq::error_t&) {
    throw std::bad_alloc();
  }
}

}  // namespace

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
  zmq::message_t message = blank_message(sizeof(Envelope) + payload.size());
  auto* out = message.data<std::byte>();
  std::memcpy(out, &envelope, sizeof(Envelope));
  if (!payload.empty()) std::memcpy(out + sizeof(Envelope), payload.data(), payload.size());
  return message;
}

std::optional<Delivery> SocketInbox::receive(std::optional<std::chrono::nanoseconds> wait) {
  if (doorbell_.waiting() == 0 && (!wait || wait->count() > 0)) doorbell_.sleep(wait);
  if (doorbell_.waiting() == 0) return {};
  if (!socket_.recv(message_, zmq::recv_flags::dontwait)) return {};
  doorbell_.take();
  Delivery delivery;
  std::memcpy(&delivery.envelope, message_.data(), sizeof(Envelope));
  delivery.payload =
      std::span(message_.data<const std::byte>(), message_.size()).subspan(sizeof(Envelope));
  return delivery;
}

}  // namespace rhizome::core
