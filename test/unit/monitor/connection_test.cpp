// The bounds of a request that has shown a token.
#include "tools/monitor/web/door/connection.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace rhizome::connection_test {

using namespace std::chrono_literals;

TEST_CASE(
    "a request that stays silent is read no further, however much time it has for all of it") {
  std::array<int, 2> ends{};
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  const std::atomic<bool> stopping{false};
  {
    tools::Connection connection(ends[0], "", stopping,
                                 {.request = 20s, .silence = 20ms, .unread = 0ms});
    char byte = 0;
    CHECK(connection.read(&byte, 1) == 0);
    REQUIRE(write(ends[1], "a", 1) == 1);
    CHECK(connection.read(&byte, 1) == 1);  // the time for all of it is not over
  }
  close(ends[1]);
}

TEST_CASE("a client that pauses within a refused body can still send the rest") {
  std::array<int, 2> ends{};
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  const std::atomic<bool> stopping{false};
  std::thread server(
      [&] { const tools::Connection refused(ends[0], "", stopping, {.unread = 20s}); });
  char byte = 0;
  CHECK(read(ends[1], &byte, 1) == 0);  // the answer has ended
  pollfd client{ends[1], 0, 0};
  CHECK(poll(&client, 1, 300) == 0);  // and the connection is still open
  CHECK(write(ends[1], "a", 1) == 1);
  close(ends[1]);
  server.join();
}

}  // namespace rhizome::connection_test
