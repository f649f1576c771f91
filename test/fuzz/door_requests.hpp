// Requests to the page's server by a grammar: right, wrong and hostile parts of each kind, and
// faults on their way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::test {

struct DoorTokens {
  std::string read;
  std::string steer;
};

// The bytes for the server over one connection, and the properties that decide the right answer.
struct DoorRequest {
  enum class Delivery { whole, pieces, half, reset, deaf };

  std::string text;
  Delivery delivery = Delivery::whole;
  std::size_t cut = 0;          // where the pieces part, or where it ends
  bool may_read = false;        // a token is in it, beside a name of this machine
  bool may_steer = false;       // the token that steers is, as well
  bool is_well_formed = false;  // all of it is as it should be,
  bool is_answered = false;     // and it has to be answered, or else refused
};

class DoorGrammar {
 public:
  DoorGrammar(core::Rng& rng, DoorTokens tokens) : rng_(rng), tokens_(std::move(tokens)) {}

  [[nodiscard]] DoorRequest next() {
    made_ = {};
    const double draw = rng_.uniform(0, 1);
    if (draw < 0.25)
      ask_rightly();
    else if (draw < 0.35)
      order_rightly();
    else
      ask_oddly();
    made_.may_read = has("Bearer " + tokens_.read) || has("Bearer " + tokens_.steer);
    made_.may_steer = has("Bearer " + tokens_.steer);
    deliver();
    return made_;
  }

 private:
  using Words = std::vector<std::string>;

  [[nodiscard]] const std::string& any(const Words& words) {
    last_ = words;
    return last_[rng_.below(last_.size())];
  }
  [[nodiscard]] bool has(const std::string& part) const {
    return made_.text.find(part) != std::string::npos;
  }
  [[nodiscard]] std::string bytes(std::size_t most) {
    std::string text(rng_.below(most + 1), ' ');
    for (char& c : text) c = static_cast<char>(rng_.below(256));
    return text;
  }
  [[nodiscard]] std::string many(const std::string& piece, std::size_t most) {
    std::string text;
    for (std::size_t i = rng_.below(most) + 1; i > 0; --i) text += piece;
    return text;
  }

  void ask_rightly() {
    const std::string target = any({"/", "/state", "/metrics", "/stream"});
    made_.text = "GET " + target + " HTTP/1.1\r\n";
    field("Host", "127.0.0.1");
    const bool knows = rng_.chance(0.6);
    if (knows) field("Authorization", "Bearer " + tokens_.read);
    if (rng_.chance(0.5)) field("Accept-Encoding", "gzip, br");
    made_.text += "\r\n";
    made_.is_well_formed = true;
    made_.is_answered = knows || target == "/";
  }
  void order_rightly() {
    const std::string order = R"({"order":"hold"})";
    made_.text = "POST /steer HTTP/1.1\r\n";
    field("Host", "localhost");
    made_.is_well_formed = true;
    made_.is_answered = rng_.chance(0.7);
    field("Authorization", "Bearer " + (made_.is_answered ? tokens_.steer : tokens_.read));
    field("Content-Type", "application/json");
    field("Content-Length", std::to_string(order.size()));
    made_.text += "\r\n" + order;
  }
  void ask_oddly() {
    made_.text = odd_method() + " ";
    made_.text += odd_target() + " ";
    made_.text += odd_version() + "\r\n";
    add_odd_fields();
    made_.text += "\r\n" + odd_body();
    if (rng_.chance(0.3)) spoil();
    if (rng_.chance(0.1)) made_.text += made_.text;  // a second one behind it
  }

  [[nodiscard]] std::string odd_method() {
    return any({"GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE",
                "CONNECT", "PRI", "get", "", "GET\t", many("A", 9000), bytes(8)});
  }
  [[nodiscard]] std::string odd_version() {
    return any({"HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "HTTP/1.1 ", "http/1.1",
                "", "HTTP/" + many("1", 30), bytes(10)});
  }
  [[nodiscard]] std::string odd_target() {
    const std::string path = any({"/",
                                  "/state",
                                  "/steer",
                                  "/steer",
                                  "/metrics",
                                  "/stream",
                                  "/nothing",
                                  "//",
                                  "/.",
                                  "/../../etc/passwd",
                                  "/%2e%2e/%2e%2e/etc/passwd",
                                  "*",
                                  "http://evil.example/",
                                  "/%00",
                                  "/%",
                                  "/%zz",
                                  "/%0d%0aInjected:%20yes",
                                  "/" + many("a", 9000),
                                  "/\x01",
                                  "",
                                  bytes(40),
                                  "/state;a",
                                  "/STATE"});
    return path + (rng_.chance(0.4) ? odd_query() : "");
  }
  [[nodiscard]] std::string odd_query() {
    return "?" + any({"", "a=b", "from=1", "from=-1", "from=99999999999999999999", "=", "&",
                      many("a=b&", 1500), many("&", 3000), "a=%", "a=%0d%0aInjected:yes",
                      "a=%u0041%u", bytes(40), "a=" + many("b", 7000), "a[0]=1&a[1]=2"});
  }
  [[nodiscard]] std::string odd_body() {
    const std::string chunk =
        any({"5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n", "ffffffffffffffff\r\nx",
             "-1\r\nx\r\n0\r\n\r\n", "0\r\n", "zz\r\n", many("1\r\na\r\n", 3000),
             "5;a=b\r\nhello\r\n0\r\nRange: bytes=0-\r\n\r\n"});
    const std::string part =
        "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"../b\"\r\n\r\nc\r\n";
    return any({"", "", R"({"order":"hold"})", R"({"order":"hold"})", "a=b&c=d", chunk, chunk,
                many(part, 200) + "--b--\r\n", part, bytes(200), many("x", 20'000),
                many("[", 15'000)});
  }

  void field(const std::string& name, const std::string& value) {
    made_.text += name + ": " + value + "\r\n";
  }
  void add_odd_fields() {
    if (rng_.chance(0.9))
      field("Host",
            any({"127.0.0.1", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]", "evil.example",
                 "127.0.0.1.evil.example", "127.0.0.1\tevil", bytes(20), many("a", 8000)}));
    if (rng_.chance(0.8)) field("Authorization", odd_authorization());
    for (std::size_t i = rng_.below(6); i > 0; --i) add_odd_field();
  }
  [[nodiscard]] std::string odd_authorization() {
    return any({"Bearer " + tokens_.read, "Bearer " + tokens_.steer, "Bearer " + tokens_.steer,
                "Bearer " + tokens_.read.substr(1), "Bearer", "Bearer ", "Basic YTpi", bytes(60),
                "Bearer " + many("0", 3000), "bearer " + tokens_.read});
  }
  void add_odd_field() {
    const std::string ranges = many("0-,", 1200) + "0-";
    const Words lines{"Content-Type: application/json",
                      "Content-Type: application/json",
                      "Content-Type: application/x-www-form-urlencoded",
                      "Content-Type: multipart/form-data; boundary=b",
                      "Content-Type: multipart/form-data; boundary=",
                      "Content-Type: multipart/form-data; boundary=" + many("b", 3000),
                      "Content-Length: 16",
                      "Content-Length: 16",
                      "Content-Length: 0",
                      "Content-Length: -1",
                      "Content-Length: 18446744073709551615",
                      "Content-Length: 99999999999999999999999",
                      "Content-Length: 16a",
                      "Transfer-Encoding: chunked",
                      "Transfer-Encoding: chunked",
                      "Transfer-Encoding: gzip, chunked",
                      "Content-Encoding: gzip",
                      "Content-Encoding: br",
                      "Range: bytes=0-",
                      "Range: bytes=" + ranges,
                      "Range: bytes=18446744073709551615-0",
                      "If-Range: x",
                      "Accept-Encoding: gzip",
                      "Accept-Encoding: " + many("gzip;q=0,", 800),
                      "X-Takes-Gzip: 1",
                      "Expect: 100-continue",
                      "Connection: keep-alive",
                      "Connection: Upgrade\r\nUpgrade: websocket",
                      "Origin: http://127.0.0.1",
                      "Origin: http://evil.example",
                      "Origin: null",
                      "X-Forwarded-For: 127.0.0.1",
                      "REMOTE_ADDR: 127.0.0.1",
                      "Host: evil.example",
                      "Authorization: Bearer " + tokens_.read,
                      "A: b\r\n folded: yes",
                      "no colon",
                      ": no name",
                      "Range : bytes=" + ranges,
                      "A: " + many("x", 9000),
                      "A: %0d%0aInjected: yes",
                      many("A: b\r\n", 1500) + "A: b",
                      bytes(60)};
    made_.text += any(lines) + (rng_.chance(0.95) ? "\r\n" : "\n");
  }

  // Bytes that are lost, doubled or changed.
  void spoil() {
    std::string& text = made_.text;
    for (std::size_t i = rng_.below(3) + 1; i > 0 && !text.empty(); --i) {
      const std::size_t at = rng_.below(text.size());
      const std::size_t size = rng_.below(std::min<std::size_t>(30, text.size() - at)) + 1;
      switch (rng_.below(3)) {
        case 0:
          text[at] = static_cast<char>(rng_.below(256));
          break;
        case 1:
          text.erase(at, size);
          break;
        default:
          text.insert(at, text.substr(at, size));
      }
    }
  }

  void deliver() {
    using Delivery = DoorRequest::Delivery;
    const std::uint64_t draw = rng_.below(20);
    made_.delivery = draw < 12   ? Delivery::whole
                     : draw < 16 ? Delivery::pieces
                     : draw < 18 ? Delivery::half
                     : draw < 19 ? Delivery::reset
                                 : Delivery::deaf;
    made_.cut = rng_.below(made_.text.size() + 1);
  }

  core::Rng& rng_;
  const DoorTokens tokens_;
  DoorRequest made_;
  Words last_;
};

}  // namespace rhizome::test
