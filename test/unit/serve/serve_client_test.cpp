// A client of servers that answer without end.
#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "test/support/hostile_server.hpp"
#include "tools/monitor/web/door/client.hpp"

namespace rhizome::serve_client_test {

using namespace std::chrono_literals;

namespace {

void check_refused(const std::string& first, const std::string& again, tools::AnswerBounds bounds) {
  const test::HostileServer server(first, again);
  const auto began = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(static_cast<void>(tools::ask({"http://" + server.address(), "token"},
                                               {.path = "/jobs"}, bounds)),
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
  check_refused("HTTP/1.1 200 ", "a long reason", short_answer);
  check_refused("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ", "a long reason", short_answer);
  const tools::AnswerBounds short_time{.time = 200ms, .bytes = ~std::size_t{0}};
  check_refused("", "HTTP/1.1 100 Continue\r\n\r\n", short_time);
}

TEST_CASE("a client sends nothing but a nonce to what does not prove that it knows the token") {
  for (const std::string& answer :
       {"HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n" + std::string(64, '0') + "\n",
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\n\r\n"), std::string("no\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")}) {
    CAPTURE(answer);
    const test::HostileServer server(answer);
    std::string said;
    try {
      static_cast<void>(tools::ask({"http://" + server.address(), "token", true}, {.path = "/jobs"},
                                   {.time = 300ms}));
    } catch (const tools::NoAnswer& error) {
      said = error.what();
    }
    CHECK(said.starts_with("no server at http://" + server.address() + " proves"));
  }
}

}  // namespace rhizome::serve_client_test
