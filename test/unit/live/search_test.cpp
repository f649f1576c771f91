// The story of a task, out of the logs of all peers.
#include "scenarios/live/search.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "test/support/boards.hpp"

namespace rhizome::search_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;

namespace {

// Three peers that execute tasks 0.0, 0.1 and so on in turn, a second each.
struct Worked {
  test::HandmadeBoard made{3};
  Worked() {
    for (std::uint32_t i = 0; i < 300; ++i) {
      made.board().pass(core::Time{i * 1s});
      made.note(i % 3, agents::TaskStarted{.task = {0, i}});
      made.note((i + 1) % 3, agents::TaskCompleted{.task = {0, i}, .executor = PeerId{i % 3}});
    }
  }
};

FoundFacts told(StorySearch& search, const core::Board& board, std::size_t slice) {
  for (int i = 0; i < 10'000 && !search.is_over(); ++i) search.read(board, slice);
  return search.found();
}

}  // namespace

TEST_CASE("all that was noted of a task is found, in the order of time, however small the slices") {
  Worked worked;
  for (const std::size_t slice : {1U, 7U, 100'000U}) {
    CAPTURE(slice);
    StorySearch search({.number = 4, .task = agents::TaskId{0, 201}});
    const FoundFacts facts = told(search, worked.made.board(), slice);
    CHECK(facts.whole);
    CHECK(facts.number == 4);
    CHECK(facts.searched == 600);
    REQUIRE(facts.facts.size() == 2);
    CHECK(facts.facts[0].kind == fact_kind<agents::TaskStarted>);
    CHECK(facts.facts[1].peer == PeerId{1});
  }
}

TEST_CASE("a search that is not over tells its results so far and that it is not over") {
  Worked worked;
  StorySearch search({.task = agents::TaskId{0, 0}});
  search.read(worked.made.board(), 10);
  CHECK_FALSE(search.is_over());
  CHECK_FALSE(search.found().whole);
  CHECK(search.found().facts.size() == 1);
}

TEST_CASE("a search ends though facts are added faster than it reads") {
  Worked worked;
  StorySearch search({.task = agents::TaskId{0, 299}});
  for (std::uint32_t slice = 0; slice < 100 && !search.is_over(); ++slice) {
    search.read(worked.made.board(), 10);
    for (std::uint32_t i = 0; i < 20; ++i)
      worked.made.note(i % 3, agents::TaskStarted{.task = {0, 1000 + slice}});
  }
  CHECK(search.is_over());
  CHECK(search.found().searched == 600);
  CHECK(search.found().facts.size() == 2);
}

TEST_CASE("the last facts of a peer are told without reading logs of others") {
  Worked worked;
  StorySearch search({.peer = PeerId{2}});
  const FoundFacts facts = told(search, worked.made.board(), 50);
  CHECK(facts.whole);
  CHECK(facts.searched == 200);
  CHECK(facts.facts.size() == 200);
  StorySearch stranger({.peer = PeerId{77}});
  CHECK(told(stranger, worked.made.board(), 50).facts.empty());
}

}  // namespace rhizome::search_test
