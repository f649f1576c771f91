#include "core/mesh/listener.hpp"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

namespace {

constexpr int queued = 8;  // connections that wait to be accepted

[[noreturn]] void refuse(const std::string& address, std::uint16_t port) {
  throw Unreachable("this host cannot listen on " + address + ":" +
                    (port == 0 ? "*" : std::to_string(port)) + ": " + std::strerror(errno));
}

}  // namespace

Listener::~Listener() {
  if (is_own_ && socket_ >= 0) close(socket_);
}

bool Listener::open(const std::string& address, std::uint16_t port) {
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(port);
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int again = 1;  // connections of an earlier run may linger at the port
  errno = made < 0 ? errno : EINVAL;
  const bool possible = made >= 0 && inet_pton(AF_INET, address.c_str(), &here.sin_addr) == 1 &&
                        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again) == 0 &&
                        bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 &&
                        listen(made, queued) == 0;
  if (possible) {
    socket_ = made;
    return true;
  }
  const int error = errno;
  if (made >= 0) close(made);
  errno = error;
  if (error != EADDRINUSE) refuse(address, port);
  return false;
}

std::string Listener::endpoint() const {
  sockaddr_in here{};
  socklen_t size = sizeof here;
  std::array<char, INET_ADDRSTRLEN> text{};
  getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &size);
  inet_ntop(AF_INET, &here.sin_addr, text.data(), text.size());
  return std::string("tcp://") + text.data() + ":" + std::to_string(ntohs(here.sin_port));
}

int Listener::hand_over() {
  is_own_ = false;
  return socket_;
}

// On a system without socket filters strangers connect, and are refused by their keys.
void Listener::admit(bool anything) {
  if (std::exchange(admits_, anything) == anything) return;
  sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program{.len = 1, .filter = &drop_all};
  const int none = 0;
  if (anything)
    setsockopt(socket_, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
  else
    setsockopt(socket_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

}  // namespace rhizome::core
