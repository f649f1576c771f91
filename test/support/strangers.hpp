// Connections from outside a launch, to the addresses where its processes listen: with ZeroMQ, and
// without.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <zmq.hpp>

#include "core/mesh/frame.hpp"
#include "core/mesh/record.hpp"
#include "core/mesh/wire.hpp"

namespace rhizome::test {

// A ZeroMQ socket that tries to send packets to the first run, with the given keys, if any.
class Stranger {
 public:
  Stranger(const std::string& endpoint, const std::string& server_key, const core::KeyPair& keys,
           core::PeerId from = core::PeerId{1})
      : socket_(context_, zmq::socket_type::dealer) {
    socket_.set(zmq::sockopt::linger, 0);
    if (!server_key.empty()) {
      socket_.set(zmq::sockopt::curve_serverkey, server_key);
      socket_.set(zmq::sockopt::curve_publickey, keys.open);
      socket_.set(zmq::sockopt::curve_secretkey, keys.secret);
    }
    socket_.connect(endpoint);
    core::Bytes frame = core::head_of(core::LinkFrame::Kind::batch, 1);
    core::put_record(frame, {.from = from, .to = core::PeerId{0}}, {});
    for (int i = 0; i < 10; ++i)
      static_cast<void>(
          socket_.send(zmq::buffer(frame.data(), frame.size()), zmq::send_flags::dontwait));
  }

 private:
  zmq::context_t context_;
  zmq::socket_t socket_;
};

// A connection of a program that does not speak ZeroMQ; it tries to connect for 0.3 s. Endpoints
// are those of descriptors.
class Caller {
 public:
  enum class Waits : std::uint8_t { no, yes };
  explicit Caller(const std::string& endpoint, Waits waits = Waits::yes)
      : descriptor_(socket(AF_INET, SOCK_STREAM | (waits == Waits::no ? SOCK_NONBLOCK : 0), 0)) {
    const timeval patience{.tv_sec = 0, .tv_usec = 300'000};
    setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const std::size_t port = endpoint.rfind(':');
    const std::string host = endpoint.substr(scheme.size(), port - scheme.size());
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(port + 1))));
    connected_ = inet_pton(AF_INET, host.c_str(), &to.sin_addr) == 1 &&
                 connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0;
  }
  ~Caller() { close(descriptor_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  void say(const std::string& text) const {
    static_cast<void>(!send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL));
  }

 private:
  static constexpr std::string_view scheme = "tcp://";
  int descriptor_;
  bool connected_ = false;
};

// The greeting of ZMTP 3.0 with the NULL mechanism, then the begin of a frame of 512 MiB.
inline std::string huge_claim() {
  std::string greeting("\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL", 16);
  greeting.resize(64, '\0');
  return greeting + std::string("\2\0\0\0\0\x20\0\0\0", 9) + std::string(1 << 20, 'x');
}

}  // namespace rhizome::test
