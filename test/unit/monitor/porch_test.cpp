#include "tools/monitor/web/door/porch.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rhizome::porch_test {

using namespace std::chrono_literals;
using tools::field_of;
using tools::Porch;
using tools::without_escapes;
using tools::without_field;

namespace {

constexpr const char* request = "GET / HTTP/1.1\r\n\r\n";

// A socket that listens at an address of no file, which the system chooses.
class Listening {
 public:
  Listening() {
    const sockaddr_un any{.sun_family = AF_UNIX, .sun_path = {}};
    REQUIRE(bind(socket_, as_any(&any), sizeof(any.sun_family)) == 0);
    REQUIRE(listen(socket_, 512) == 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &size_);
  }
  ~Listening() { close(socket_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  [[nodiscard]] int socket() const { return socket_; }
  void connect_to(int client) const {
    static_cast<void>(connect(client, as_any(&address_), size_));
  }

 private:
  static const sockaddr* as_any(const sockaddr_un* address) {
    return reinterpret_cast<const sockaddr*>(address);
  }
  int socket_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address_{};
  socklen_t size_ = sizeof(address_);
};

// The client's end of a connection.
class Client {
 public:
  Client() = default;
  explicit Client(const Listening& door) { connect(door); }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  void connect(const Listening& door) const { door.connect_to(socket_); }
  void say(const std::string& text) const {
    static_cast<void>(send(socket_, text.data(), text.size(), MSG_NOSIGNAL));
  }
  void say_no_more() const { shutdown(socket_, SHUT_WR); }
  // All until the connection is closed; "..." at the end where it is not, for so long.
  [[nodiscard]] std::string hear(std::chrono::milliseconds wait = 5s) const {
    std::string heard;
    for (;;) {
      pollfd asked{socket_, POLLIN, 0};
      if (poll(&asked, 1, static_cast<int>(wait.count())) <= 0) return heard + "...";
      std::array<char, 4096> piece{};
      const ssize_t size = recv(socket_, piece.data(), piece.size(), 0);
      if (size <= 0) return heard;
      heard.append(piece.data(), static_cast<std::size_t>(size));
    }
  }
  // Waits until the server has closed the connection, without taking what it sent.
  [[nodiscard]] bool is_left() const {
    pollfd asked{socket_, POLLRDHUP, 0};
    return poll(&asked, 1, 30'000) > 0;
  }

 private:
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
};

// No other file can be opened in its time. Nothing is checked meanwhile: a sanitizer needs a file
// to look at the stream of a check.
class NoFiles {
 public:
  NoFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int highest = dup(0);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(highest) + 1;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int each = highest; each >= 0; each = dup(0)) taken_.push_back(each);
  }
  ~NoFiles() {
    for (const int each : taken_) close(each);
    setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

// Takes over connections whose request begins with "KNOWN".
struct House {
  std::string answer = "an answer";
  std::mutex mutex{};
  std::vector<std::string> taken{};

  [[nodiscard]] Porch::House porch() {
    return {.proof = [](int, const std::string& head) -> std::string {
              return head.starts_with("PROVE") ? "a proof" : "";
            },
            .knows = [](const std::string& head) { return head.starts_with("KNOWN"); },
            .take_over =
                [this](int socket, const std::string& head) {
                  const std::scoped_lock lock(mutex);
                  taken.push_back(head);
                  close(socket);
                },
            .answer =
                [this](const std::string& head) {
                  return head.starts_with("HUNGRY") ? throw std::bad_alloc() : answer;
                }};
  }
};

}  // namespace

TEST_CASE("a client that asks for a proof goes on with the same connection") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {});
  const Client client(door);
  client.say("PROVE\r\n\r\n");
  CHECK(client.hear(200ms) == "a proof...");
  client.say(request);
  CHECK(client.hear() == "an answer");
}

TEST_CASE("where memory ends for one connection, others are served") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {});
  for (int i = 0; i < 3; ++i) {
    const Client client(door);
    client.say("HUNGRY\r\n\r\n");
    CHECK(client.hear() == "");
  }
  const Client client(door);
  client.say(request);
  CHECK(client.hear() == "an answer");
}

TEST_CASE("a head that is complete is answered at once, however it came") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {});
  const Client whole(door);
  whole.say(request);
  CHECK(whole.hear() == "an answer");
  const Client parts(door);
  parts.say("GET / HTTP/1.1\r\n");
  CHECK(parts.hear(20ms) == "...");
  parts.say("\r\n");
  CHECK(parts.hear() == "an answer");
  const Client half(door);
  half.say("GET");
  half.say_no_more();
  CHECK(half.hear() == "an answer");
}

TEST_CASE("a connection that shows a token leaves the porch with all that it said") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {});
  const Client known(door);
  known.say("KNOWN / HTTP/1.1\r\n\r\nand a body");
  CHECK(known.hear().empty());
  const std::scoped_lock lock(house.mutex);
  CHECK(house.taken == std::vector<std::string>{"KNOWN / HTTP/1.1\r\n\r\nand a body"});
}

TEST_CASE("a thousand connections that say half of it keep no other from its answer") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {.head = 60s});
  std::vector<std::unique_ptr<Client>> halves;
  for (int i = 0; i < 400; ++i) {
    halves.push_back(std::make_unique<Client>(door));
    halves.back()->say("GET / HTTP/1.1\r\nA: b\r\n");
  }
  const Client whole(door);
  whole.say(request);
  CHECK(whole.hear() == "an answer");
  CHECK(halves.front()->hear().empty());     // it had to go
  CHECK(halves.back()->hear(0ms) == "...");  // it has its time
}

TEST_CASE(
    "where files are short, the oldest connection goes for the next, and the door stays open") {
  House house;
  const Listening door;
  // No connection goes by itself meanwhile: it would leave its file to the next.
  Porch porch(door.socket(), house.porch(), {.head = 60s, .answer = 60s, .leaving = 60s});
  const Client half(door);
  half.say("GET");
  const Client whole(door);
  whole.say(request);
  CHECK(whole.hear() == "an answer");
  const Client next;
  std::string to_next;
  std::string to_half;
  {
    const NoFiles no_files;
    next.connect(door);
    next.say(request);
    to_next = next.hear();
    to_half = half.hear();
  }
  CHECK(to_next == "an answer");
  CHECK(to_half.empty());
}

TEST_CASE("where files are short and no connection can go for the next, it waits for a file") {
  House house;
  const Listening door;
  const Porch porch(door.socket(), house.porch(), {});
  const Client only;
  std::string too_early;
  {
    const NoFiles no_files;
    only.connect(door);
    only.say(request);
    too_early = only.hear(20ms);
  }
  CHECK(too_early == "...");
  CHECK(only.hear() == "an answer");
}

TEST_CASE("clients that take no answer keep no other from its own, and lose theirs after a while") {
  House house{.answer = std::string(4 << 20U, 'x')};
  const Listening door;
  Porch porch(door.socket(), house.porch(), {.answer = 2s});
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 40; ++i) {
    slow.push_back(std::make_unique<Client>(door));
    slow.back()->say(request);
  }
  const Client quick(door);
  quick.say(request);
  CHECK(quick.hear().size() == house.answer.size());
  REQUIRE(slow.front()->is_left());
  const std::string rest = slow.front()->hear();
  CHECK(rest.size() < house.answer.size());
  CHECK_FALSE(rest.ends_with("..."));
}

TEST_CASE("a head that never ends, in time or in length, is not answered") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {.head = 100ms});
  const Client late(door);
  late.say("GET / HTTP/1.1\r\n");
  CHECK(late.hear().empty());
  const Listening other;
  Porch patient(other.socket(), house.porch(), {.head = 60s, .longest_head = 1000});
  const Client endless(other);
  endless.say(std::string(1100, 'x'));
  CHECK(endless.hear().empty());
}

TEST_CASE(
    "a head of very many fields or parameters is not answered, and a body may have any number of "
    "lines") {
  House house;
  const Listening door;
  Porch porch(door.socket(), house.porch(), {.most_parts = 10});
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "a: b\r\n";
  const Client flood(door);
  flood.say("GET / HTTP/1.1\r\n" + lines + "\r\n");
  CHECK(flood.hear().empty());
  const Client query(door);
  query.say("GET /?" + std::string(20, '&') + " HTTP/1.1\r\n\r\n");
  CHECK(query.hear().empty());
  const Client whole(door);
  whole.say("POST / HTTP/1.1\r\nA: " + std::string(20, '&') + "\r\n\r\n" + lines);
  CHECK(whole.hear() == "an answer");
}

TEST_CASE("fields of a head are found by name in any letters, and not within a body") {
  const std::string head = "GET / HTTP/1.1\r\nRANGE: bytes=0-\r\nrange:\t1 \r\nA: range: 2\r\n\r\n";
  CHECK(field_of(head, "range") == "bytes=0-");
  CHECK(field_of(head, "a") == "range: 2");
  CHECK(field_of(head + "b: 3\r\n", "b").empty());
  CHECK(without_field(head + "range: 4\r\n", "range") ==
        "GET / HTTP/1.1\r\nA: range: 2\r\n\r\nrange: 4\r\n");
}

TEST_CASE("the value of one field is taken as it is, and nothing else is changed") {
  const std::string head = "PUT /a%20b HTTP/1.1\r\nKey: k%41\r\nOther: 100%\r\n\r\n";
  const std::string body = "{\"file\": \"a%20b\"}\r\nkey: 5%\r\n";
  CHECK(without_escapes(head + body, "key") ==
        "PUT /a%20b HTTP/1.1\r\nKey: k%2541\r\nOther: 100%\r\n\r\n" + body);
  CHECK(without_field(head + body, "key") == "PUT /a%20b HTTP/1.1\r\nOther: 100%\r\n\r\n" + body);
}

}  // namespace rhizome::porch_test
