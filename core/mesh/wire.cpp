#include "core/mesh/wire.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

namespace {

constexpr int under_way = 16;  // frames, in either direction
constexpr std::int64_t longest = 2
                                 << 20;  // bytes of a frame; a stranger who claims more is cut off
constexpr int handshake = 5000;          // ms, which strangers may take as well
constexpr int farewell = 1000;           // ms for the last frames to leave

// ZMQ_ZAP_ENFORCE_DOMAIN: refuses connections that no handler admits. Headers without drafts lack
// it.
constexpr int zap_enforce_domain = 93;

constexpr int failures = ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                         ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;

// A ZeroMQ monitor event of a connection.
struct Event {
  std::uint16_t what = 0;
  std::int32_t about = 0;  // for a connection that has ended, its descriptor
};

Event event_in(const zmq::message_t& message) {
  Event event;
  if (message.size() < sizeof(event.what) + sizeof(event.about)) return event;
  std::memcpy(&event.what, message.data<std::byte>(), sizeof(event.what));
  std::memcpy(&event.about, message.data<std::byte>() + sizeof(event.what), sizeof(event.about));
  return event;
}

}  // namespace

KeyPair KeyPair::make() {
  std::array<char, 41> open{};
  std::array<char, 41> secret{};
  if (zmq_curve_keypair(open.data(), secret.data()) != 0)
    throw Unreachable("this build of ZeroMQ cannot encrypt, which processes of one run need");
  return {open.data(), secret.data()};
}

Wire::Wire(zmq::context_t& context, const KeyPair& keys, std::uint32_t process)
    : keys_(keys),
      socket_(context, zmq::socket_type::dealer),
      fate_(context, zmq::socket_type::pair) {
  socket_.set(zmq::sockopt::linger, farewell);
  socket_.set(zmq::sockopt::sndhwm, under_way);
  socket_.set(zmq::sockopt::rcvhwm, under_way);
  socket_.set(zmq::sockopt::maxmsgsize, longest);
  socket_.set(zmq::sockopt::handshake_ivl, handshake);
  socket_.set(zmq::sockopt::reconnect_ivl, -1);
  socket_.set(zmq::sockopt::zap_domain, domain_of(process));
  const int enforced = 1;
  if (zmq_setsockopt(socket_.handle(), zap_enforce_domain, &enforced, sizeof(enforced)) != 0)
    throw Unreachable("this build of ZeroMQ cannot keep strangers out");
  const std::string fate = "inproc://fate-" + std::to_string(process);
  zmq_socket_monitor(socket_.handle(), fate.c_str(),
                     ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | failures);
  fate_.set(zmq::sockopt::linger, 0);
  fate_.connect(fate);
}

// While frames still leave, ZeroMQ would report events of the connection. No thread reads them any
// more, so that ZeroMQ's thread would block for ever, and with it all connections of the context.
// ZeroMQ's thread may be blocked already: therefore the events are read first.
Wire::~Wire() {
  if (listener_.is_open()) listener_.admit(Listener::Admits::none);
  std::uint64_t ignored = 0;
  static_cast<void>(take_fate(ignored));
  zmq_socket_monitor(socket_.handle(), nullptr, 0);
}

std::string Wire::domain_of(std::uint32_t process) { return "link-" + std::to_string(process); }

std::string Wire::listen(const std::string& address, const std::optional<PortRange>& ports) {
  bool bound = !ports && listener_.open(address, 0);
  for (std::uint32_t i = 0; ports && !bound && i < ports->size(); ++i)
    bound = listener_.open(address, static_cast<std::uint16_t>(ports->first + i));
  if (!bound)
    throw Unreachable("this host cannot listen on " + address + ": " +
                      (ports ? "none of ports " + std::to_string(ports->first) + " to " +
                                   std::to_string(ports->last) + " is free"
                             : "no port is free"));
  return listener_.endpoint();
}

void Wire::accept(std::string_view source) {
  listener_.await(source_address_of(source));
  socket_.set(zmq::sockopt::curve_server, true);
  socket_.set(zmq::sockopt::curve_secretkey, keys_.secret);
  const std::string endpoint = listener_.endpoint();
  const int descriptor = listener_.hand_over();
  if (zmq_setsockopt(socket_.handle(), ZMQ_USE_FD, &descriptor, sizeof(descriptor)) != 0)
    throw Unreachable("this build of ZeroMQ cannot listen at a socket that is open");
  try {
    socket_.bind(endpoint);
  } catch (const zmq::error_t& error) {
    throw Unreachable("this host cannot listen on " + endpoint + ": " + error.what());
  }
}

void Wire::connect(const std::string& endpoint, const std::string& key, std::uint16_t source_port) {
  constexpr std::string_view scheme = "tcp://";
  if (!endpoint.starts_with(scheme))
    throw Unreachable("a descriptor says \"" + endpoint + "\", which is no endpoint");
  const std::string source = "0.0.0.0:" + std::to_string(source_port);
  try {
    socket_.set(zmq::sockopt::curve_serverkey, key);
    socket_.set(zmq::sockopt::curve_publickey, keys_.open);
    socket_.set(zmq::sockopt::curve_secretkey, keys_.secret);
    socket_.connect(std::string(scheme) + source + ";" + endpoint.substr(scheme.size()));
  } catch (const zmq::error_t& error) {
    throw Unreachable("a descriptor says \"" + endpoint +
                      "\", which is no endpoint: " + error.what());
  }
}

bool Wire::send(const Bytes& frame) {
  zmq::message_t message(frame.data(), frame.size());
  return socket_.send(message, zmq::send_flags::dontwait).has_value();
}

// No process of the launch sends messages of several parts. A second part reads like a frame.
std::optional<std::span<const std::byte>> Wire::receive() {
  if (!socket_.recv(message_, zmq::recv_flags::dontwait)) return {};
  take_descriptor();
  return std::span(message_.data<const std::byte>(), message_.size());
}

// A listening end hears of the connections of strangers as well, and tells its own by that.
void Wire::take_descriptor() {
  if (descriptor_ >= 0) return;
  const char* text = zmq_msg_gets(message_.handle(), "__fd");
  if (text != nullptr) descriptor_ = std::atoi(text);
}

bool Wire::holds(std::uint64_t& strangers) {
  const bool connected = take_fate(strangers);
  if (!listener_.is_open()) return connected;
  using Admits = Listener::Admits;
  const bool few = connections_ < most_strangers;
  listener_.admit(descriptor_ >= 0 ? Admits::none : few ? Admits::all : Admits::awaited);
  return connected;
}

// Reads the events. Returns false if the connection of the other end has ended.
bool Wire::take_fate(std::uint64_t& strangers) {
  zmq::message_t message;
  bool connected = true;
  while (fate_.recv(message, zmq::recv_flags::dontwait)) {
    const Event event = event_in(message);
    while (message.more()) static_cast<void>(fate_.recv(message));
    if (event.what == ZMQ_EVENT_ACCEPTED) {
      ++connections_;
    } else if (event.what != ZMQ_EVENT_DISCONNECTED) {
      ++strangers;
    } else {
      --connections_;
      if (!listener_.is_open() || event.about == descriptor_) connected = false;
    }
  }
  return connected;
}

zmq::pollitem_t Wire::to_poll(bool for_sending) {
  const auto events = static_cast<short>(ZMQ_POLLIN | (for_sending ? ZMQ_POLLOUT : 0));
  return {socket_.handle(), 0, events, 0};
}

zmq::pollitem_t Wire::to_poll_fate() { return {fate_.handle(), 0, ZMQ_POLLIN, 0}; }

}  // namespace rhizome::core
