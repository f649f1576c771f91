// A listener: the socket at which a wire awaits its other end. The system queues a few connections
// for it, which cost this process nothing until ZeroMQ accepts them.
#pragma once

#include <cstdint>
#include <string>

namespace rhizome::core {

// Used by one thread at a time.
class Listener {
 public:
  Listener() = default;
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // False where that port is taken; 0 is any port that is free. Throws Unreachable where this host
  // cannot listen on that address, which is one of IPv4.
  [[nodiscard]] bool open(const std::string& address, std::uint16_t port);
  // "tcp://127.0.0.1:4000".
  [[nodiscard]] std::string endpoint() const;
  [[nodiscard]] bool is_open() const { return socket_ >= 0; }
  // The descriptor, for ZeroMQ, which closes it.
  [[nodiscard]] int hand_over();
  // While nothing is admitted, the system drops each attempt to connect, which whoever makes it
  // repeats within seconds. Connections that exist go on.
  void admit(bool anything);

 private:
  int socket_ = -1;
  bool is_own_ = true;  // to be closed here
  bool admits_ = true;
};

}  // namespace rhizome::core
