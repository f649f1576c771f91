// What vector scheduling knows of tasks of graphs: which begins first, which move, and what the
// source does where one is lost.
#include <doctest/doctest.h>

#include <chrono>
#include <vector>

#include "agents/locator/enter.hpp"
#include "agents/vector/lineage.hpp"
#include "agents/vector/ranks.hpp"

namespace rhizome::vector_graphs_test {

using namespace agents;
using namespace agents::vectors;
using namespace std::chrono_literals;
using core::PeerId;

namespace {

constexpr core::Time start{};
constexpr TaskId first{0, 0};
constexpr TaskId second{0, 1};
constexpr TaskId third{0, 2};

// 0 before 1 before 2, and 0 before 2.
std::vector<locator::Mobile> chain() {
  return locator::mobiles_of({{.id = first}, {.id = second}, {.id = third}},
                             {{1, 0, 5}, {2, 1, 6}, {2, 0, 7}}, PeerId{3});
}

}  // namespace

TEST_CASE("a task enters with its level and all that it has to do with, where it entered") {
  const auto tasks = chain();
  CHECK(tasks[0].level == 0);
  CHECK(tasks[1].level == 1);
  CHECK(tasks[2].level == 2);
  CHECK(tasks[0].unmet.empty());
  REQUIRE(tasks[2].unmet.size() == 2);
  CHECK(tasks[2].unmet[1].task == second);
  CHECK(tasks[2].unmet[1].bytes == 6);
  REQUIRE(tasks[0].successors.size() == 2);
  CHECK(tasks[0].successors[1].at == locator::Address{PeerId{3}, 0});
}

TEST_CASE("the shallowest task that is ready begins first, and of one level the earliest") {
  Ranks ranks;
  ranks.add(third, 2, start);
  ranks.add(second, 1, start);
  ranks.add(first, 1, start);
  CHECK_FALSE(ranks.first_ready());
  ranks.ready(third);
  CHECK(ranks.first_ready() == third);
  ranks.ready(first);
  CHECK(ranks.first_ready() == first);
  ranks.ready(second);
  CHECK(ranks.first_ready() == second);
  ranks.remove(second);
  CHECK(ranks.first_ready() == first);
}

TEST_CASE("of a level the last that came move, ready or not") {
  Ranks ranks;
  ranks.add(first, 1, start);
  ranks.add(second, 1, start);
  ranks.add(third, 2, start);
  ranks.ready(second);
  CHECK(ranks.counts() == std::vector<LevelCount>{{1, 2}, {2, 1}});
  CHECK(ranks.last(1, 1) == std::vector<TaskId>{second});
  CHECK(ranks.last(1, 5) == std::vector<TaskId>{second, first});
  CHECK(ranks.last(7, 5).empty());
  ranks.remove(third);
  CHECK(ranks.counts() == std::vector<LevelCount>{{1, 2}});
}

TEST_CASE("who has waited for long for others is known, and who is ready does not wait") {
  Ranks ranks;
  ranks.add(first, 0, start);
  ranks.add(second, 1, start);
  ranks.add(third, 2, start + 10s);
  ranks.ready(first);
  CHECK(ranks.unready_since(start + 5s) == std::vector<TaskId>{second});
  ranks.add(second, 1, start + 6s);  // it has come again
  CHECK(ranks.unready_since(start + 5s).empty());
}

TEST_CASE("a neighbour has of a level what it told last, and what was sent since if that counts") {
  NeighbourRanks ranks;
  ranks.heard(PeerId{1}, {{0, 4}, {2, 1}});
  ranks.sent(PeerId{1}, 2, 3);
  CHECK(ranks.count(PeerId{1}, 0, true) == 4);
  CHECK(ranks.count(PeerId{1}, 2, true) == 4);
  CHECK(ranks.count(PeerId{1}, 2, false) == 1);
  CHECK(ranks.count(PeerId{2}, 2, false) == 0);
  ranks.heard(PeerId{1}, {{0, 1}});
  CHECK(ranks.count(PeerId{1}, 2, true) == 0);
}

TEST_CASE("a task that was lost is placed once more, later than before, with what is done given") {
  Lineage lineage;
  for (const locator::Mobile& task : chain()) lineage.enter(task);
  lineage.done(first, start);
  CHECK_FALSE(lineage.open(first));
  const locator::Mobile again = lineage.again(third);
  CHECK(again.epoch == locator::generation);
  REQUIRE(again.met.size() == 1);
  CHECK(again.met[0].task == first);
  REQUIRE(again.unmet.size() == 1);
  CHECK(again.unmet[0].task == second);
  CHECK(lineage.again(third).epoch == 2 * locator::generation);
}

TEST_CASE("who waits in vain is owed what was done long ago, and nothing else") {
  Lineage lineage;
  for (const locator::Mobile& task : chain()) lineage.enter(task);
  lineage.done(first, start + 10s);
  CHECK(lineage.owed(third, PeerId{4}, start + 10s).empty());
  const auto owed = lineage.owed(third, PeerId{4}, start + 11s);
  REQUIRE(owed.size() == 1);
  CHECK(owed[0].from == first);
  REQUIRE(owed[0].successors.size() == 1);
  CHECK(owed[0].successors[0].task == third);
  CHECK(owed[0].successors[0].at == locator::Address{PeerId{4}, 0});
  CHECK(owed[0].successors[0].bytes == 7);
  CHECK(lineage.owed(first, PeerId{4}, start + 11s).empty());
}

}  // namespace rhizome::vector_graphs_test
