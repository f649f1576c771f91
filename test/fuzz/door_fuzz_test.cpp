// Sends requests made by a grammar to the page's server: it must answer each soon, with no more
// than it has, with nothing of the run if there is no token, and answer later requests as before.
// RHIZOME_FUZZ_RUNS sets the number of requests, RHIZOME_FUZZ_FIRST the first one.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "test/fuzz/door_requests.hpp"
#include "tools/monitor/web/door/page.hpp"
#include "tools/monitor/web/door/server.hpp"

namespace rhizome::door_fuzz_test {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using core::Rng;
using test::DoorRequest;
using Delivery = DoorRequest::Delivery;

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* wish = std::getenv(variable);
  return wish == nullptr ? otherwise : std::strtoull(wish, nullptr, 10);
}

const test::DoorTokens tokens{.read = "00112233445566778899aabbccddeeff",
                              .steer = "ffeeddccbbaa99887766554433221100"};
constexpr std::string_view secret = "what-goes-on-in-the-run";
constexpr auto patience = 30s;  // the server's own times are 3 s for a request and 10 s for a piece

// A run under way that counts its orders.
class Answers final : public tools::WebAnswers {
 public:
  std::optional<tools::Reply> answer(const tools::Question& question) override {
    if (question.path == "/steer") ++steered;
    if (question.path != "/steer" && question.path != "/state" && question.path != "/metrics")
      return {};
    return tools::Reply{.text = std::string(secret)};
  }
  tools::Teller follow(const tools::Question&) override {
    return [left = 3]() mutable -> std::optional<std::string> {
      if (left-- == 0) return {};
      return std::string(secret);
    };
  }
  std::atomic<std::size_t> steered{0};
};

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t size = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  void say_no_more() const { shutdown(socket_, SHUT_WR); }
  void break_off() const {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }
  // All until the other end closes; nothing where it does not in time.
  [[nodiscard]] std::optional<std::string> hear() const {
    std::string heard;
    const auto until = Clock::now() + patience;
    for (;;) {
      pollfd asked{socket_, POLLIN, 0};
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      if (left <= 0ms || poll(&asked, 1, static_cast<int>(left.count())) == 0) return {};
      std::array<char, 16384> piece{};
      const ssize_t size = recv(socket_, piece.data(), piece.size(), 0);
      if (size <= 0) return heard;
      heard.append(piece.data(), static_cast<std::size_t>(size));
    }
  }

 private:
  const int socket_;
  bool connected_ = false;
};

// Sends the request in its way of delivery; returns the answer, or nothing if the connection stays
// open.
std::optional<std::string> exchange(std::uint16_t port, const DoorRequest& request) {
  const Client client(port);
  if (!client.connected()) return {};
  const std::string_view text = request.text;
  const std::string_view first = text.substr(0, request.cut);
  client.say(request.delivery == Delivery::whole || request.delivery == Delivery::deaf ? text
                                                                                       : first);
  if (request.delivery == Delivery::pieces) {
    std::this_thread::sleep_for(5ms);
    client.say(text.substr(request.cut));
  }
  if (request.delivery == Delivery::deaf) std::this_thread::sleep_for(50ms);
  if (request.delivery == Delivery::reset) client.break_off();
  if (request.delivery == Delivery::reset || request.delivery == Delivery::deaf) return "";
  if (request.delivery == Delivery::half) client.say_no_more();
  return client.hear();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The error in the answer; empty if it is right.
std::string complaint_of(const DoorRequest& request, const std::optional<std::string>& answer) {
  if (!answer) return "the connection stays open";
  const bool taken = request.delivery == Delivery::whole || request.delivery == Delivery::pieces;
  if (!answer->empty() && !answer->starts_with("HTTP/1.1 ")) return "no answer of HTTP";
  if (answer->size() > tools::web_page().html.size() + 65'536) return "more than there is";
  if (has(*answer, secret) && !request.may_read) return "something of the run, without a token";
  const std::string head = answer->substr(0, answer->find("\r\n\r\n"));
  if (has(head, "\nInjected:") || has(head, "Access-Control")) return "a field of the request's";
  const bool done = answer->starts_with("HTTP/1.1 200 ");
  if (request.is_well_formed && taken && done != request.is_answered)
    return "not what it should be: " + answer->substr(0, 40);
  return {};
}

struct Tried {
  std::mutex mutex;
  std::vector<std::string> complaints;
  std::size_t done = 0;
  std::size_t may_have_steered = 0;
};

void try_one(std::uint64_t seed, std::uint16_t port, Tried& tried) {
  Rng rng(seed);
  const DoorRequest request = test::DoorGrammar(rng, tokens).next();
  const auto answer = exchange(port, request);
  const std::string complaint = complaint_of(request, answer);
  const std::scoped_lock lock(tried.mutex);
  if (!complaint.empty())
    tried.complaints.push_back("seed " + std::to_string(seed) + ": " + complaint + "\n" +
                               request.text.substr(0, 1000));
  tried.done += answer && answer->starts_with("HTTP/1.1 200 ") ? 1 : 0;
  tried.may_have_steered += request.may_steer ? 2 : 0;  // some hold a request twice
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

long megabytes_taken() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string page_for_stranger(std::uint16_t port) {
  return exchange(port, {.text = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"}).value_or("none");
}

}  // namespace

TEST_CASE("whatever is asked of the page's server, it answers soon and nothing that it must not") {
  const std::uint64_t first = number_in("RHIZOME_FUZZ_FIRST", 0);
  const std::uint64_t runs = number_in("RHIZOME_FUZZ_RUNS", 400);
  Answers answers;
  Tried tried;
  const tools::WebServer server(answers,
                                {.tokens = {.read = {tokens.read}, .steer = {tokens.steer}}});
  const std::string page = page_for_stranger(server.port());
  CHECK(page.ends_with("\r\n\r\n" + tools::web_page().html));
  const std::size_t descriptors = open_descriptors();
  const long megabytes = megabytes_taken();
  std::atomic<std::uint64_t> next{first};
  std::vector<std::thread> clients(24);
  for (std::thread& client : clients)
    client = std::thread([&] {
      for (std::uint64_t seed = next++; seed < first + runs; seed = next++)
        try_one(seed, server.port(), tried);
    });
  for (std::thread& client : clients) client.join();
  for (const std::string& complaint : tried.complaints) CHECK_MESSAGE(false, complaint);
  CHECK(tried.done > runs / 10);
  CHECK(tried.done < runs);
  CHECK(answers.steered > 0);
  CHECK(answers.steered <= tried.may_have_steered);
  CHECK(page_for_stranger(server.port()) == page);
  for (int i = 0; i < 200 && open_descriptors() > descriptors; ++i)
    std::this_thread::sleep_for(50ms);
  CHECK(open_descriptors() <= descriptors);
#ifdef __SANITIZE_ADDRESS__  // it delays the release of freed memory
  CHECK(megabytes_taken() - megabytes < 800);
#else
  CHECK(megabytes_taken() - megabytes < 200);
#endif
}

}  // namespace rhizome::door_fuzz_test
