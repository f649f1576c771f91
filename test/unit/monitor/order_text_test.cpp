// What a page asks a run to do: a few orders in JSON, and nothing else.
#include "tools/monitor/web/live/order_text.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace rhizome::order_text_test {

using scenarios::live::Steer;
using tools::order_in;

TEST_CASE("an order names a command and what belongs to it, with runs counted from 1") {
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

TEST_CASE("what is no order is none") {
  for (const std::string text :
       {"", "hold", "[]", "{}", R"({"command": "stop"})", R"({"command": 1})",
        R"({"command": "step", "steps": 0})", R"({"command": "step", "steps": -1})",
        R"({"command": "step", "steps": "9"})", R"({"command": "step", "steps": 1e300})",
        R"({"command": "hold", "run": 0})", R"({"command": "hold", "run": 1e10})",
        R"({"command": "speed", "speed": "fast"})", R"({"command": "hold", "more": 1})",
        R"({"command": "until", "until": -1})", R"({"command": "until", "until": 1e300})",
        R"({"run": 1})"}) {
    CAPTURE(text);
    CHECK_FALSE(order_in(text));
  }
}

}  // namespace rhizome::order_text_test
