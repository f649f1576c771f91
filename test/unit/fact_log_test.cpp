#include "core/peer/fact_log.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace rhizome;
using namespace std::chrono_literals;

TEST_CASE("a log gives facts back as they were noted, whether their words came before or not") {
  const std::string_view started = "task-started";
  const std::string copy(started);  // the same word in another place
  core::FactLog log;
  log.add(core::Time{} + 1s, {.name = started, .subject = 7, .other = core::PeerId{3}});
  log.add(core::Time{} + 2s, {.name = started, .subject = 8, .value = 0.5, .reason = "overdue"});
  log.add(core::Time{} + 2s, {.name = copy, .subject = 9});
  REQUIRE(log.size() == 3);
  CHECK(log[0].at == core::Time{} + 1s);
  CHECK(log[0].fact.name == started);
  CHECK(log[0].fact.subject == 7);
  CHECK(log[0].fact.other == core::PeerId{3});
  CHECK(log[0].fact.reason.empty());
  CHECK(log[1].fact.reason == "overdue");
  CHECK(log[1].fact.value == 0.5);
  CHECK(log[1].fact.other == core::nobody);
  CHECK(log[2].fact.name == started);
  CHECK(log[2].fact.reason.empty());
  CHECK(log.at(2) == core::Time{} + 2s);
}
