// A listener: the TCP socket on which a wire awaits the connection of the other process. The system
// queues a few connections; they cost this process no descriptor until ZeroMQ accepts them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/mesh/source.hpp"

namespace rhizome::core {

// Used by one thread at a time.
class Listener {
 public:
  Listener() = default;
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Returns false if the port is in use. Port 0 is any free port. Throws Unreachable if this host
  // cannot listen on the IPv4 address.
  [[nodiscard]] bool open(const std::string& address, std::uint16_t port);
  // "tcp://127.0.0.1:4000".
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] bool is_open() const { return socket_ >= 0; }
  // Returns the descriptor for ZeroMQ, which closes it.
  [[nodiscard]] int hand_over();
  // Which attempts to connect reach the queue. The system drops others; their clients repeat them
  // after some seconds. Open connections are not affected.
  enum class Admits : std::uint8_t { all, awaited, none };
  void admit(Admits whom);
  // Where the awaited process connects from. If this is not known, `awaited` means none.
  void await(const std::optional<SourceAddress>& source) { awaited_ = source; }

 private:
  int socket_ = -1;
  bool is_own_ = true;  // this object closes the socket
  std::optional<SourceAddress> awaited_{};
  Admits admits_ = Admits::all;
};

}  // namespace rhizome::core
