// The address from which a process connects to others. It is bound before the others learn it, so
// that a listener under a flood of connections can tell the awaited process from strangers by its
// first packet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rhizome::core {

struct SourceAddress {
  std::uint32_t host = 0;  // IPv4, both in the byte order of the host
  std::uint16_t port = 0;
};
// Parses "127.0.0.1:4000"; nothing if it cannot be read.
[[nodiscard]] std::optional<SourceAddress> source_address_of(std::string_view text);

class Source {
 public:
  // A free port. `address` is the IPv4 address of this host that others see. Throws Unreachable if
  // no port is free.
  explicit Source(const std::string& address);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Lets sockets of ZeroMQ bind the same port. Until then no other process can.
  void share() const;
  // "127.0.0.1:4000".
  [[nodiscard]] std::string text() const { return address_ + ":" + std::to_string(port_); }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::string address_;
  int socket_;
  std::uint16_t port_ = 0;
};

}  // namespace rhizome::core
