// A wire: the one ZeroMQ connection between this process and another. The process of lower number
// listens and the other connects, once: a connection that breaks is not made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <zmq.hpp>

#include "core/mesh/listener.hpp"
#include "core/mesh/ports.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::core {

// A key pair of CURVE, as text. It exists in memory only.
struct KeyPair {
  std::string open;
  std::string secret;
  [[nodiscard]] static KeyPair make();
};

// Used by one thread at a time.
class Wire {
 public:
  // While as many are connected, a listening wire admits only the awaited process.
  static constexpr int most_strangers = 4;

  // A wire to or from the process of that number. The listening end admits that number's domain.
  Wire(zmq::context_t& context, const KeyPair& keys, std::uint32_t process);
  // Waits in the background, for a second at most, until sent frames have left.
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  // Returns the endpoint. `address` is one of this host; the port is the first free one of the
  // given ports, or the system's choice. Throws Unreachable if it cannot listen there. The system
  // queues connections until accept(); from then on holds() has to be called often. `source` is
  // that of the awaited process, from its descriptor.
  [[nodiscard]] std::string listen(const std::string& address,
                                   const std::optional<PortRange>& ports = std::nullopt);
  void accept(std::string_view source);
  void connect(const std::string& endpoint, const std::string& key, std::uint16_t source_port);

  // False where it is not taken now, because much is under way.
  [[nodiscard]] bool send(const Bytes& frame);
  // The next that has come. Valid until the next call.
  [[nodiscard]] std::optional<std::span<const std::byte>> receive();
  // Looks at the state of the connection; false once it is closed. A refused connection is counted
  // in `strangers`. A listening wire accepts a few at a time, and none once the other end has
  // connected.
  [[nodiscard]] bool holds(std::uint64_t& strangers);

  [[nodiscard]] zmq::pollitem_t to_poll(bool for_sending);
  [[nodiscard]] zmq::pollitem_t to_poll_fate();

  // What a listening wire asks admission in.
  [[nodiscard]] static std::string domain_of(std::uint32_t process);

 private:
  void take_descriptor();
  [[nodiscard]] bool take_fate(std::uint64_t& strangers);

  const KeyPair& keys_;
  zmq::socket_t socket_;
  zmq::socket_t fate_;  // tells of connections
  zmq::message_t message_;
  Listener listener_;    // open at the end that listens
  int connections_ = 0;  // there
  int descriptor_ = -1;  // the connection's, once anything was received
};

}  // namespace rhizome::core
