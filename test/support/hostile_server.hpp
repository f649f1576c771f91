// A server that accepts one connection, sends `first`, and then `again` for as long as the client
// takes it; with a pause before each time, it drips.
#pragma once

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace rhizome::test {

class HostileServer {
 public:
  explicit HostileServer(std::string first, std::string again = {},
                         std::chrono::milliseconds pause = {})
      : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* address = reinterpret_cast<sockaddr*>(&place);
    REQUIRE(::bind(listening_, address, size) == 0);
    REQUIRE(::listen(listening_, 1) == 0);
    REQUIRE(::getsockname(listening_, address, &size) == 0);
    address_ = "127.0.0.1:" + std::to_string(ntohs(place.sin_port));
    thread_ = std::thread([this, first = std::move(first), again = std::move(again), pause] {
      serve(first, again, pause);
    });
  }
  ~HostileServer() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    stopped_.notify_all();
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  HostileServer(const HostileServer&) = delete;
  HostileServer& operator=(const HostileServer&) = delete;

  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  void serve(const std::string& first, const std::string& again, std::chrono::milliseconds pause) {
    const int client = ::accept(listening_, nullptr, nullptr);
    if (client < 0) return;
    bool taken = say(client, first);
    while (taken && !again.empty() && !stops_within(pause)) taken = say(client, again);
    if (taken && again.empty()) {
      std::unique_lock lock(mutex_);
      stopped_.wait(lock, [this] { return stopping_.load(); });
    }
    ::close(client);
  }
  static bool say(int client, const std::string& text) {
    std::size_t said = 0;
    while (said < text.size()) {
      const auto sent = ::send(client, text.data() + said, text.size() - said, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      said += static_cast<std::size_t>(sent);
    }
    return true;
  }
  bool stops_within(std::chrono::milliseconds pause) {
    if (pause == pause.zero()) return stopping_;
    std::unique_lock lock(mutex_);
    return stopped_.wait_for(lock, pause, [this] { return stopping_.load(); });
  }

  int listening_;
  std::string address_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace rhizome::test
