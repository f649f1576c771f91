// A client of servers that answer without end.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "tools/monitor/web/door/client.hpp"

namespace rhizome::serve_client_test {

using namespace std::chrono_literals;

namespace {

// Accepts one connection, sends `first`, and then `again` for as long as the client takes it.
class Endless {
 public:
  Endless(std::string first, std::string again) : listening_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* address = reinterpret_cast<sockaddr*>(&place);
    REQUIRE(bind(listening_, address, size) == 0);
    REQUIRE(listen(listening_, 1) == 0);
    REQUIRE(getsockname(listening_, address, &size) == 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(place.sin_port));
    thread_ = std::thread([this, first = std::move(first), again = std::move(again)] {
      const int client = accept(listening_, nullptr, nullptr);
      if (client < 0) return;
      const auto say = [client](const std::string& text) {
        return send(client, text.data(), text.size(), MSG_NOSIGNAL) > 0;
      };
      bool taken = say(first);
      while (taken && !stopping_) taken = say(again);
      close(client);
    });
  }
  ~Endless() {
    stopping_ = true;
    shutdown(listening_, SHUT_RDWR);
    thread_.join();
    close(listening_);
  }
  Endless(const Endless&) = delete;
  Endless& operator=(const Endless&) = delete;
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  int listening_;
  std::string url_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

void check_refused(const std::string& first, const std::string& again, tools::AnswerBounds bounds) {
  const Endless server(first, again);
  const auto began = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(static_cast<void>(tools::ask({server.url(), "token"}, {.path = "/jobs"}, bounds)),
                  tools::NoAnswer);
  CHECK(std::chrono::steady_clock::now() - began < 20s);
}

}  // namespace

TEST_CASE("a client ends with a server whose answer has no end") {
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const tools::AnswerBounds short_answer{.time = 60s, .bytes = 1 << 20};
  check_refused(head, "X-More: and more\r\n", short_answer);
  check_refused(head + "X-Long: ", "and longer", short_answer);
  check_refused(head + "Content-Length: 100000000000\r\n\r\n", "body", short_answer);
  check_refused(head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", short_answer);
  check_refused("", "HTTP/1.1 100 Continue\r\n\r\n", short_answer);
  const tools::AnswerBounds short_time{.time = 200ms, .bytes = ~std::size_t{0}};
  check_refused("", "HTTP/1.1 100 Continue\r\n\r\n", short_time);
}

}  // namespace rhizome::serve_client_test
