// A port of this machine that is listened to.
#pragma once

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace rhizome::test {

class ListeningPort {
 public:
  ListeningPort() : listening_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(bind(listening_, seen(), size_) == 0);
    REQUIRE(listen(listening_, 1) == 0);
    REQUIRE(getsockname(listening_, seen(), &size_) == 0);
  }
  ~ListeningPort() { close(listening_); }
  ListeningPort(const ListeningPort&) = delete;
  ListeningPort& operator=(const ListeningPort&) = delete;
  [[nodiscard]] int number() const { return listening_; }
  [[nodiscard]] sockaddr* seen() { return reinterpret_cast<sockaddr*>(&address_); }
  [[nodiscard]] socklen_t size() const { return size_; }
  [[nodiscard]] std::string text() const { return std::to_string(ntohs(address_.sin_port)); }

 private:
  int listening_;
  sockaddr_in address_{};
  socklen_t size_ = sizeof address_;
};

}  // namespace rhizome::test
