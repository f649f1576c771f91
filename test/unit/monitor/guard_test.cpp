#include "tools/monitor/web/door/guard.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace rhizome::guard_test {

using tools::Asked;
using tools::ConnectionSlots;
using tools::Guard;

namespace {

const std::string token = "00112233445566778899aabbccddeeff";
const std::string reading = "ffeeddccbbaa99887766554433221100";

Asked right(const std::string& path = "/stream") {
  return {
      .method = "GET", .path = path, .host = "127.0.0.1:4711", .authorization = "Bearer " + token};
}
// The answers of a monitor.
class Answers final : public tools::WebAnswers {
 public:
  std::optional<tools::Reply> answer(const tools::Question&) override { return {}; }
  tools::Teller follow(const tools::Question&) override { return {}; }
};
tools::Way way(const Asked& asked) { return Answers().way(asked.path); }

// 0: it is answered.
int status_of(const Asked& asked) {
  const auto refusal = Guard({.read = {reading}, .steer = {token}}).refusal(asked, way(asked));
  return refusal ? refusal->status : 0;
}

}  // namespace

TEST_CASE("requests with the token are answered, and the page itself needs none") {
  CHECK(status_of(right()) == 0);
  Asked page = right("/");
  page.authorization.clear();
  CHECK(status_of(page) == 0);
}

TEST_CASE("a name that leads here but is not of this machine is refused, whatever is known") {
  for (const std::string host :
       {"", "evil.example", "evil.example:4711", "127.0.0.1.evil.example:4711", "localhost.evil",
        "[::1].evil", "127.0.0.1@evil.example"}) {
    CAPTURE(host);
    Asked asked = right();
    asked.host = host;
    CHECK(status_of(asked) == 403);
    asked.path = "/";
    CHECK(status_of(asked) == 403);
  }
}

TEST_CASE("this machine has three names, at any port that leads here") {
  for (const std::string host : {"localhost", "localhost:9", "127.0.0.1", "[::1]:80", "[::1]"}) {
    CAPTURE(host);
    Asked asked = right();
    asked.host = host;
    CHECK(status_of(asked) == 0);
  }
}

TEST_CASE("pages of other origins are refused, also those of another port") {
  Asked asked = right();
  asked.origin = "http://127.0.0.1:4711";
  CHECK(status_of(asked) == 0);
  for (const std::string origin : {"null", "http://127.0.0.1:4712", "https://127.0.0.1:4711",
                                   "http://evil.example", "http://127.0.0.1:4711.evil.example"}) {
    CAPTURE(origin);
    asked.origin = origin;
    CHECK(status_of(asked) == 403);
  }
}

TEST_CASE("nothing can be changed") {
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD", "get"}) {
    Asked asked = right();
    asked.method = method;
    CHECK(status_of(asked) == 405);
  }
}

TEST_CASE("orders are posted as JSON, with the token") {
  Asked order = right("/steer");
  CHECK(status_of(order) == 405);
  order.method = "POST";
  for (const std::string type : {"", "text/plain", "application/x-www-form-urlencoded",
                                 "multipart/form-data", "application/json; charset=utf-8"}) {
    CAPTURE(type);
    order.type = type;
    CHECK(status_of(order) == 415);
  }
  order.type = "application/json";
  CHECK(status_of(order) == 0);
  order.origin = "http://evil.example";
  CHECK(status_of(order) == 403);
  order.origin.clear();
  order.authorization.clear();
  CHECK(status_of(order) == 401);
}

TEST_CASE("a form of several parts is refused, by whatever method it comes") {
  Asked asked = right();
  asked.type = "multipart/form-data; boundary=x";
  CHECK(status_of(asked) == 415);
  const tools::Way upload{.methods = {"PUT"}, .steers = true};
  asked.method = "PUT";
  CHECK(Guard({.read = {}, .steer = {token}}).refusal(asked, upload)->status == 415);
  asked.type = "application/octet-stream";
  CHECK_FALSE(Guard({.read = {}, .steer = {token}}).refusal(asked, upload));
}

TEST_CASE("the token for reading opens all but the orders, and without the other there are none") {
  Asked asked = right();
  asked.authorization = "Bearer " + reading;
  CHECK(status_of(asked) == 0);
  Asked order = right("/steer");
  order.method = "POST";
  order.type = "application/json";
  CHECK(status_of(order) == 0);
  order.authorization = asked.authorization;
  CHECK(status_of(order) == 403);
  order.authorization = "Bearer ";
  CHECK(Guard({.read = {reading}, .steer = {}}).refusal(order, way(order))->status == 401);
}

TEST_CASE("a token that is not all of it is none") {
  for (const std::string& said : std::vector<std::string>{
           "", "Bearer", "Bearer ", token, "bearer " + token, "Bearer " + token + "0",
           "Bearer " + token.substr(1), "Bearer " + token.substr(0, 31) + "e", "Basic " + token}) {
    CAPTURE(said);
    for (const std::string path : {"/stream", "/metrics", "/nothing", "//", "/?", ""}) {
      Asked asked = right(path);
      asked.authorization = said;
      CHECK(status_of(asked) == 401);
    }
  }
}

TEST_CASE("one more place is free as soon as one is left") {
  ConnectionSlots places(2);
  ConnectionSlots::Place first = places.take();
  const ConnectionSlots::Place second = places.take();
  CHECK(first);
  CHECK(second);
  CHECK_FALSE(places.take());
  CHECK(places.taken() == 2);
  first.reset();
  CHECK(places.taken() == 1);
  CHECK(places.take());
}

}  // namespace rhizome::guard_test
