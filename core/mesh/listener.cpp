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

// On a system without socket filters strangers connect, and are refused by their keys. A filter
// sees a packet from its TCP header on. Connections inherit the filter under which they were made.
void Listener::admit(Admits whom) {
  if (std::exchange(admits_, whom) == whom) return;
  if (whom == Admits::all) {
    const int none = 0;
    setsockopt(socket_, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
    return;
  }
  constexpr std::uint32_t sender = static_cast<std::uint32_t>(SKF_NET_OFF) + 12;  // in IPv4
  const SourceAddress from = awaited_.value_or(SourceAddress{});
  std::array<sock_filter, 6> admit_awaited{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sender),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, from.host, 0, 3),
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, from.port, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
      BPF_STMT(BPF_RET | BPF_K, 0),
  }};
  sock_filter* const drop_all = &admit_awaited.back();
  const bool only_awaited = whom == Admits::awaited && awaited_;
  const sock_fprog program{
      .len = static_cast<unsigned short>(only_awaited ? admit_awaited.size() : 1),
      .filter = only_awaited ? admit_awaited.data() : drop_all};
  setsockopt(socket_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

}  // namespace rhizome::core
