#include "tools/monitor/web/pieces.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/text/json.hpp"

namespace rhizome::pieces_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;

TEST_CASE("a piece is behind its length, the lowest byte first") {
  CHECK(tools::piece("abc") == std::string("\3\0\0\0abc", 7));
  CHECK(tools::piece(std::string(258, 'x')).substr(0, 5) == std::string("\2\1\0\0x", 5));
}

TEST_CASE("the preface tells the fields of each fact") {
  const auto json = scenarios::parse_json(tools::preface().substr(4));
  REQUIRE(json);
  const scenarios::Json& facts = json->at("facts");
  const scenarios::Json& moved = facts.at("parent-changed");
  REQUIRE(moved.size() == 4);
  CHECK(moved.at(0).at(0).get<std::string>() == "root");
  CHECK(moved.at(0).at(1).get<std::string>() == "peer");
  CHECK(moved.at(3).at(1).get<std::string>() == "text");
  CHECK(facts.at("task-executed").at(1).at(0).get<std::string>() == "portion");
  CHECK(facts.at("task-executed").at(2).at(1).get<std::string>() == "time");
}

TEST_CASE("a page that connects when a run is over is told all that is known of it") {
  Rows rows(3);
  rows.set(PeerId{1}, {5, 1, 2, 0, 9, 0, 0, 0, 0, 1, 6, 0, 0, (3U << 2U) | 1U, 1}, 4);
  State early;
  REQUIRE(early.apply({.number = 4,
                       .run = {.number = 1, .label = "sparrow", .peers = 3},
                       .now = core::Time{2s},
                       .rows = rows.changed_after(0),
                       .facts = {.next = 2, .facts = {{.at = core::Time{1s}, .kind = 2}}},
                       .extras = {.past = {{.at = core::Time{1s}}}}}));
  rows.set(PeerId{2}, {7}, 5);
  REQUIRE(early.apply({.number = 5,
                       .since = 4,
                       .run = {.number = 1, .label = "sparrow", .peers = 3},
                       .now = core::Time{3s},
                       .rows = rows.changed_after(4),
                       .facts = {.next = 3, .facts = {{.at = core::Time{3s}, .kind = 1}}}}));
  State late;
  REQUIRE(late.apply(tools::whole_frame(early)));
  CHECK(late.rows() == early.rows());
  CHECK(late.facts() == early.facts());
  CHECK(late.facts().size() == 2);
  CHECK(late.moments() == early.moments());
  CHECK(late.frame().now == core::Time{3s});
}

}  // namespace rhizome::pieces_test
