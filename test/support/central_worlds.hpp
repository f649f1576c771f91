// Worlds and checks that the tests of central schedulers and of provisioning share.
#pragma once

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "agents/facts.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::test {

// Equal peers on a network of constant delay. Work enters at peer 0; the first head is peer 1.
inline std::string equal_peers(std::uint32_t count, const std::string& delay,
                               const std::string& engine) {
  return fmt::format(R"(
peers.count = {}
peers.source = "fastest"
peers.speed_min = 1
peers.speed_max = 1
network.latency = "constant"
network.delay = "{}"
engine.kind = "{}"
)",
                     count, delay, engine);
}

inline std::string crash(std::uint32_t peer, double at) {
  return fmt::format("[[faults.event]]\nat = \"{:.9f}s\"\npeer = {}\nkind = \"crash\"\n", at, peer);
}

// No task is lost or counted twice, and the invariants hold.
inline void check_all_once(const scenarios::Outcome& outcome) {
  check_sound(outcome);
  CAPTURE(outcome.failure);
  CHECK(outcome.failure.empty());
  for (const auto& task : outcome.tasks) {
    REQUIRE(task.completions == 1);
    REQUIRE(task.duplicates == 0);
  }
}

// Besides, no task is begun twice and no service is lost: draining kills no work.
inline void check_nothing_killed(const scenarios::Outcome& outcome) {
  check_all_once(outcome);
  CHECK(outcome.facts.of<agents::ServiceLost>().empty());
  for (const auto& task : outcome.tasks) REQUIRE(task.starts == 1);
}

}  // namespace rhizome::test
