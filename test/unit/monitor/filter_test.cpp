// Which events a filter lets through.
#include "tools/monitor/filter.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "test/support/watched_run.hpp"

namespace rhizome::filter_test {

using namespace std::chrono_literals;
using core::PeerId;
using tools::Filter;

namespace {

// A parent of peer 9 that changed, and a task that peer 44 executed.
const scenarios::live::LiveFact& moved() {
  static const auto fact = test::noted(
      1s, 9,
      agents::ParentChanged{
          .root = PeerId{17}, .parent = PeerId{4}, .former = PeerId{3}, .reason = "promotion"});
  return fact;
}
const scenarios::live::LiveFact& executed() {
  static const auto fact = test::noted(2s, 44, agents::TaskExecuted{.task = {112, 3}});
  return fact;
}

// The facts that a filter lets through: "m", "e", both or none.
std::string taken(const std::string& text) {
  std::string error;
  const std::optional<Filter> filter = Filter::parse(text, error);
  if (!filter) return error;
  return std::string(filter->takes(moved(), "parent-changed") ? "m" : "") +
         (filter->takes(executed(), "task-executed") ? "e" : "");
}

}  // namespace

TEST_CASE("a filter takes events by name, peer, task and reason") {
  CHECK(taken("") == "me");
  CHECK(taken("name~task") == "e");
  CHECK(taken("task") == "e");
  CHECK(taken("name=task") == "");
  CHECK(taken("name=parent-changed") == "m");
  CHECK(taken("peer=9") == "m");
  CHECK(taken("peer=#44") == "e");
  CHECK(taken("peer=4") == "m");  // the fact names that peer
  CHECK(taken("task=112.3") == "e");
  CHECK(taken("task=112.4") == "");
  CHECK(taken("reason=promotion") == "m");
  CHECK(taken("reason~motion") == "m");
  CHECK(taken("reason=motion") == "");
}

TEST_CASE("all words must hold, and or begins others") {
  CHECK(taken("name~parent peer=9") == "m");
  CHECK(taken("name~parent and peer=44") == "");
  CHECK(taken("name~parent or peer=44") == "me");
  CHECK(taken("or or") == "me");
}

TEST_CASE("a wrong filter is refused with the fields that exist") {
  CHECK(taken("peer=x") == "peer= takes a number, as peer=17");
  CHECK(taken("task=7") == "task= takes job and portion, as task=112.3");
  CHECK(taken("colour=red") == "there are name, peer, task and reason, with = or ~");
  CHECK(tools::parse_task("112.3") == agents::TaskId{112, 3});
  for (const char* text : {"", ".", "1.", ".2", "1.2.3", "-1.2", "99999999999.1"})
    CHECK_FALSE(tools::parse_task(text).has_value());
}

}  // namespace rhizome::filter_test
