#include <doctest/doctest.h>

#include <map>
#include <set>

#include "agents/facts.hpp"
#include "scenarios/outcome/tree.hpp"
#include "test/support/experiments.hpp"

namespace rhizome::hybrid_test {

using test::check_sound;
using test::metric;
using test::run_scenario;

namespace {

const std::string base = R"(
peers.count = 60
workload.jobs = 60
engine.kind = "virtual"
engine.time_limit = "5min"
engine.grace = "30s"
[[scheduler]]
use = "hybrid"
)";

// Workers by leader, as they stood last.
std::map<core::PeerId, std::set<core::PeerId>> groups_of(const scenarios::Outcome& outcome) {
  std::map<core::PeerId, core::PeerId> leader;
  for (const auto& noted : outcome.facts.of<agents::GroupChanged>())
    leader[noted.peer] = noted.fact.leader;
  std::map<core::PeerId, std::set<core::PeerId>> groups;
  for (const auto& [peer, led_by] : leader)
    if (led_by != peer && led_by != core::no_peer) groups[led_by].insert(peer);
  return groups;
}

}  // namespace

TEST_CASE("the hybrid's leaders have full groups below a tree that is theirs alone") {
  const auto outcome = run_scenario(base, 1);
  const auto groups = groups_of(outcome);
  CHECK(groups.size() >= 5);
  const scenarios::Tree tree = scenarios::tree_at(outcome, core::Time::max());
  CHECK(tree.members() == 60);
  for (const auto& [leader, workers] : groups) {
    CHECK(workers.size() <= 4);
    CHECK(leader != tree.root);
    for (const core::PeerId worker : workers) {
      CHECK(tree.parent[worker.value] == leader);
      CHECK(tree.children[worker.value].empty());
    }
  }
}

TEST_CASE("work enters the hybrid anywhere, and one leader serves several trees") {
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    check_sound(run_scenario(base, seed, 0,
                             {.command_line = {"scheduler.hybrid.roots=3", "workload.spacing=50ms",
                                               "faults.crash_share=0.1"}}));
}

TEST_CASE("the hybrid's workers with several slots and little memory run tasks that fit") {
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    check_sound(run_scenario(base, seed, 0,
                             {.command_line = {"peers.slots=3", "scheduler.hybrid.ahead=2"}}));
}

TEST_CASE("the hybrid costs fewer messages of information than the Organic Grid") {
  std::string both = base;
  both += "[[scheduler]]\nuse = \"organic-grid\"\n";
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    CHECK(metric(run_scenario(both, seed, 0), "information_messages") <
          metric(run_scenario(both, seed, 1), "information_messages"));
}

}  // namespace rhizome::hybrid_test
