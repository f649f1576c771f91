#include "core/mesh/source.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/mesh/rendezvous.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::core {

std::optional<SourceAddress> source_address_of(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  const std::string host(text.substr(0, colon));
  const auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
  in_addr address{};
  if (!port || inet_pton(AF_INET, host.c_str(), &address) != 1) return {};
  return SourceAddress{.host = ntohl(address.s_addr), .port = *port};
}

// The port is bound at any address, so that the system chooses the address by its routes.
Source::Source(const std::string& address)
    : address_(address), socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in here{};
  here.sin_family = AF_INET;
  socklen_t size = sizeof here;
  auto* place = reinterpret_cast<sockaddr*>(&here);
  if (socket_ < 0 || bind(socket_, place, size) != 0 || getsockname(socket_, place, &size) != 0) {
    const int error = errno;
    if (socket_ >= 0) close(socket_);
    throw Unreachable(std::string("this host has no free port to connect from: ") +
                      std::strerror(error));
  }
  port_ = ntohs(here.sin_port);
}

// Linux asks for no right: with the option, sockets of other users could bind the port, too.
void Source::share() const {
  const int shared = 1;
  if (setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &shared, sizeof shared) != 0)
    throw Unreachable(std::string("this host shares no port to connect from: ") +
                      std::strerror(errno));
}

Source::~Source() { close(socket_); }

}  // namespace rhizome::core
