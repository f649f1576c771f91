#include "core/engine/exchange.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <zmq.hpp>

#include "core/engine/limits.hpp"
#include "core/engine/room.hpp"

namespace rhizome::core {

namespace {

constexpr int unread = 8;                           // messages that may wait for a client
constexpr std::chrono::milliseconds farewell{100};  // for the last answers to leave

Bytes bytes_of(const zmq::message_t& message) {
  const auto* first = message.data<const std::byte>();
  return {first, first + message.size()};
}

zmq::message_t message_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

// ZeroMQ ends the program where the system refuses ZeroMQ a descriptor or a thread.
zmq::context_t make_outer_context() {
  try {
    check_room({.descriptors = 24, .threads = 2});
  } catch (const LimitExceeded& error) {
    throw ExchangeFailed(error.what());
  }
  return zmq::context_t(1);
}

zmq::socket_t make_outer_socket(zmq::context_t& context, zmq::socket_type type) {
  zmq::socket_t socket(context, type);
  socket.set(zmq::sockopt::linger, static_cast<int>(farewell.count()));
  socket.set(zmq::sockopt::sndhwm, unread);
  return socket;
}

}  // namespace

struct ExchangeServer::Sockets {
  zmq::context_t context = make_outer_context();
  zmq::socket_t router{make_outer_socket(context, zmq::socket_type::router)};
  int bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

  Sockets() = default;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;
  ~Sockets() {
    if (bell >= 0) close(bell);
  }
};

ExchangeServer::ExchangeServer(const std::string& endpoint, std::size_t longest) try
    : sockets_(std::make_unique<Sockets>()) {
  if (sockets_->bell < 0) throw ExchangeFailed("the system refused an event descriptor");
  sockets_->router.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(longest));
  sockets_->router.set(zmq::sockopt::router_mandatory, true);  // else send() hides a lost client
  sockets_->router.bind(endpoint);
} catch (const zmq::error_t& error) {
  throw ExchangeFailed(endpoint + ": " + error.what());
}

ExchangeServer::~ExchangeServer() = default;

std::optional<Request> ExchangeServer::receive(std::chrono::milliseconds wait) {
  std::array<zmq::pollitem_t, 2> items{
      {{sockets_->router.handle(), 0, ZMQ_POLLIN, 0}, {nullptr, sockets_->bell, ZMQ_POLLIN, 0}}};
  try {
    zmq::poll(items.data(), items.size(), wait);
    std::uint64_t rung = 0;
    if (items[1].revents != 0 && read(sockets_->bell, &rung, sizeof(rung)) > 0) return {};
    zmq::message_t client;
    zmq::message_t bytes;
    if (!sockets_->router.recv(client, zmq::recv_flags::dontwait) || !client.more()) return {};
    static_cast<void>(sockets_->router.recv(bytes));
    Request request{client.to_string(), bytes_of(bytes)};
    const bool whole = !bytes.more();
    while (bytes.more()) static_cast<void>(sockets_->router.recv(bytes));
    if (whole) return request;
  } catch (const zmq::error_t&) {
    // Interrupted by a signal: as if nothing had come.
  }
  return {};
}

bool ExchangeServer::send(const std::string& client, const Bytes& answer) {
  try {
    zmq::message_t to(client);
    zmq::message_t bytes = message_of(answer);
    if (sockets_->router.send(to, zmq::send_flags::sndmore | zmq::send_flags::dontwait))
      static_cast<void>(sockets_->router.send(bytes, zmq::send_flags::dontwait));
    return true;
  } catch (const zmq::error_t& error) {
    return error.num() != EHOSTUNREACH;
  }
}

void ExchangeServer::wake() {
  const std::uint64_t once = 1;
  static_cast<void>(!write(sockets_->bell, &once, sizeof(once)));
}

namespace {

// Bytes: a frame of the largest runs has some twenty million.
constexpr std::int64_t largest_answer = std::int64_t{256} << 20U;

}  // namespace

struct ExchangeClient::Socket {
  zmq::context_t context = make_outer_context();
  zmq::socket_t dealer{make_outer_socket(context, zmq::socket_type::dealer)};
};

ExchangeClient::ExchangeClient(const std::string& endpoint) try
    : socket_(std::make_unique<Socket>()) {
  socket_->dealer.set(zmq::sockopt::linger, 0);
  socket_->dealer.set(zmq::sockopt::maxmsgsize, largest_answer);
  socket_->dealer.connect(endpoint);
} catch (const zmq::error_t& error) {
  throw ExchangeFailed(endpoint + ": " + error.what());
}

ExchangeClient::~ExchangeClient() = default;

void ExchangeClient::send(const Bytes& request) {
  try {
    zmq::message_t bytes = message_of(request);
    static_cast<void>(socket_->dealer.send(bytes, zmq::send_flags::dontwait));
  } catch (const zmq::error_t&) {
    // Interrupted by a signal: a client without an answer asks again.
  }
}

std::optional<Bytes> ExchangeClient::receive(std::chrono::milliseconds wait) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + wait;
  zmq::pollitem_t item{socket_->dealer.handle(), 0, ZMQ_POLLIN, 0};
  try {
    for (auto left = wait; left.count() >= 0;
         left = std::chrono::floor<std::chrono::milliseconds>(until - Clock::now())) {
      if (zmq::poll(&item, 1, left) == 0) break;
      zmq::message_t bytes;
      const bool came = socket_->dealer.recv(bytes, zmq::recv_flags::dontwait).has_value();
      if (came && bytes.size() > 0) return bytes_of(bytes);  // else a knock
    }
  } catch (const zmq::error_t&) {
    // Interrupted by a signal: as if nothing had come.
  }
  return {};
}

}  // namespace rhizome::core
