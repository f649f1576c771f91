// How tasks pass from peer to peer, where that is recorded.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::hops_test {

using agents::TaskHanded;
using core::PeerId;
using scenarios::Outcome;

namespace {

// With delays, so that time tells which hand-over came first.
const std::string all = R"(
network.latency = "constant"
network.delay = "2ms"
peers.count = 20
workload.jobs = 10
workload.portions = 8
engine.kind = "virtual"
)" + test::passing_schedulers;

Outcome recorded(std::size_t scheduler) {
  return test::run_scenario(all, 0, scheduler, {.command_line = {"engine.log_hops=true"}});
}

// The peer that each task was handed to last; only that peer may hand it on.
std::map<agents::TaskId, PeerId> holders(const Outcome& outcome) {
  std::map<agents::TaskId, PeerId> holders;
  for (const auto& noted : outcome.facts.of<TaskHanded>()) {
    const auto held = holders.find(noted.fact.task);
    if (held != holders.end()) CHECK(held->second == noted.peer);
    CHECK(noted.fact.receiver != noted.peer);
    holders[noted.fact.task] = noted.fact.receiver;
  }
  return holders;
}

}  // namespace

TEST_CASE("where hops are recorded, each task is handed on by its holder, up to its executor") {
  for (std::size_t scheduler = 0; scheduler < test::passing; ++scheduler) {
    const Outcome outcome = recorded(scheduler);
    CAPTURE(outcome.identity.label);
    test::check_sound(outcome);
    CHECK(outcome.facts.any<TaskHanded>());
    REQUIRE_FALSE(outcome.facts.any<agents::TaskReissued>());
    const auto held = holders(outcome);
    CHECK(held.size() > outcome.tasks.size() / 2);  // the other tasks ran where they entered
    for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
      if (held.contains(noted.fact.task)) CHECK(held.at(noted.fact.task) == noted.peer);
  }
}

TEST_CASE("hops are recorded only on request, and all else is the same with them") {
  for (std::size_t scheduler = 0; scheduler < test::passing; ++scheduler) {
    const Outcome without = test::run_scenario(all, 0, scheduler);
    const Outcome with = recorded(scheduler);
    CAPTURE(without.identity.label);
    CHECK_FALSE(without.facts.any<TaskHanded>());
    CHECK(with.ended == without.ended);
    CHECK(with.events == without.events);
    CHECK(with.facts.size() == without.facts.size() + with.facts.of<TaskHanded>().size());
  }
}

}  // namespace rhizome::hops_test
