// Orders of a page to a run: a few orders in JSON, and no others.
#include "tools/monitor/web/live/order_text.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

namespace rhizome::order_text_test {

using scenarios::live::Steer;
using tools::order_in;

TEST_CASE("an order names a command and its arguments, with runs counted from 1") {
  const auto step = order_in(R"({"command": "step", "steps": 100, "run": 2})");
  REQUIRE(step);
  CHECK(step->command == Steer::Command::step);
  CHECK(step->steps == 100);
  CHECK(step->run == 1);
  const auto speed = order_in(R"({"command": "speed", "speed": 0.5})");
  REQUIRE(speed);
  CHECK(speed->command == Steer::Command::speed);
  CHECK(speed->speed == 0.5);
  CHECK_FALSE(speed->run);
  const auto until = order_in(R"({"command": "until", "until": 2.5})");
  REQUIRE(until);
  CHECK(until->until == core::Time{std::chrono::milliseconds(2500)});
  CHECK(order_in(R"({"command": "hold"})"));
  CHECK(order_in(R"({"command": "go"})"));
}

TEST_CASE("an order to cause a fault names peers as people list them, but for the end of a cut") {
  const auto crash = order_in(R"({"command": "crash", "peers": "7", "run": 1})");
  REQUIRE(crash);
  CHECK(crash->command == Steer::Command::crash);
  CHECK(crash->peers == std::vector<core::PeerId>{{7}});
  CHECK(crash->run == 0);
  CHECK(order_in(R"({"command": "leave", "peers": "7"})")->command == Steer::Command::leave);
  CHECK(order_in(R"({"command": "restart", "peers": "7"})")->command == Steer::Command::restart);
  const auto cut = order_in(R"({"peers": "3,4,9..11", "command": "cut-off"})");
  REQUIRE(cut);
  CHECK(cut->command == Steer::Command::cut_off);
  CHECK(cut->peers == std::vector<core::PeerId>{{3}, {4}, {9}, {10}, {11}});
  CHECK(order_in(R"({"command": "cut-off", "peers": "1..500"})"));
  CHECK(order_in(R"({"command": "heal"})")->command == Steer::Command::heal);
}

TEST_CASE("the description of orders tells the most peers that may be named") {
  CHECK(std::string(tools::what_orders_are).find(std::to_string(Steer::most_peers) + " at most") !=
        std::string::npos);
}

TEST_CASE("a wrong order is refused") {
  for (const std::string text : {"",
                                 "hold",
                                 "[]",
                                 "{}",
                                 R"({"command": "stop"})",
                                 R"({"command": 1})",
                                 R"({"command": "step", "steps": 0})",
                                 R"({"command": "step", "steps": -1})",
                                 R"({"command": "step", "steps": "9"})",
                                 R"({"command": "step", "steps": 1e300})",
                                 R"({"command": "hold", "run": 0})",
                                 R"({"command": "hold", "run": 1e10})",
                                 R"({"command": "speed", "speed": "fast"})",
                                 R"({"command": "hold", "more": 1})",
                                 R"({"command": "until", "until": -1})",
                                 R"({"command": "until", "until": 1e300})",
                                 R"({"run": 1})",
                                 R"({"command": "crash"})",
                                 R"({"command": "cut-off", "peers": ""})",
                                 R"({"command": "crash", "peers": 7})",
                                 R"({"command": "crash", "peers": "-1"})",
                                 R"({"command": "crash", "peers": "4..3"})",
                                 R"({"command": "leave", "peers": "all"})",
                                 R"({"command": "cut-off", "peers": "1..501"})",
                                 R"({"command": "heal", "peers": "7"})",
                                 R"({"command": "hold", "peers": "7"})"}) {
    CAPTURE(text);
    CHECK_FALSE(order_in(text));
  }
}

}  // namespace rhizome::order_text_test
