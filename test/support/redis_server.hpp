// A server of Redis for a test: on a free port, with its data in a folder of its own, killed and
// restarted at will.
#pragma once

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "test/support/temporary_directory.hpp"

namespace rhizome::test {

class RedisServer {
 public:
  RedisServer() : port_(free_port()) { start(); }
  ~RedisServer() { kill(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  // With all that was acknowledged. Under appendfsync everysec, an acknowledged write may still
  // wait for a slow fsync when the server is killed.
  void start() {
    const std::string port = std::to_string(port_);
    const std::string folder = folder_.path().string();
    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      ::execlp("redis-server", "redis-server", "--port", port.c_str(), "--bind", "127.0.0.1",
               "--dir", folder.c_str(), "--appendonly", "yes", "--appendfsync", "always", "--save",
               "", "--loglevel", "warning", "--logfile", "server.log", nullptr);
      ::_exit(127);
    }
    for (int tries = 0; tries < 1000; ++tries) {
      if (answers()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL("redis-server does not answer: is the package installed?");
  }

 private:
  static sockaddr_in local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    address.sin_port = ::htons(static_cast<std::uint16_t>(port));
    return address;
  }
  static int free_port() {
    const int line = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = local(0);
    socklen_t size = sizeof address;
    REQUIRE(::bind(line, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::getsockname(line, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    ::close(line);
    return ::ntohs(address.sin_port);
  }
  [[nodiscard]] bool answers() const {
    const int line = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = local(port_);
    bool fine = ::connect(line, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    std::array<char, 8> answer{};
    fine = fine && ::write(line, "PING\r\n", 6) == 6 &&
           ::read(line, answer.data(), answer.size()) > 0 && answer[0] == '+';
    ::close(line);
    return fine;
  }

  TemporaryDirectory folder_;
  int port_;
  pid_t process_ = 0;
};

}  // namespace rhizome::test
