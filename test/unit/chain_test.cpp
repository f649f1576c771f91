// The chain of a task: its way, its forwarders, and the searches for it.
#include "tools/fate/chain.hpp"

#include <doctest/doctest.h>

#include <string>

#include "test/support/outcomes.hpp"

namespace rhizome::chain_test {

using namespace agents::locator;
using namespace scenarios;
using namespace tools;
using namespace std::chrono_literals;
using agents::TaskId;
using core::PeerId;
using test::say;

namespace {

const TaskId giver{0, 0};
const TaskId mover{0, 1};

// The mover goes from peer 0 by 1 to 2. The giver, done at peer 3, sends its data to peer 0; the
// forwarder there, and that of peer 1 half a second later, pass them on.
Outcome moved_twice() {
  Outcome outcome = test::quiet_outcome(4);
  say(outcome, 0s, 0, TaskSettled{mover, 0, 1});
  say(outcome, 1s, 0, TaskLeft{mover, PeerId{1}, 1});
  say(outcome, 2s, 1, TaskSettled{mover, 1, 1});
  say(outcome, 3s, 0, ForwarderLeft{mover, PeerId{1}, 1});
  say(outcome, 4s, 1, TaskLeft{mover, PeerId{2}, 2});
  say(outcome, 5s, 2, TaskSettled{mover, 2, 1});
  say(outcome, 6s, 3, DatumSent{mover, giver, PeerId{0}, 0, false});
  say(outcome, 7s, 0, SearchPassed{mover, giver, PeerId{1}});
  say(outcome, 8s, 1, SearchHeld{mover, giver});
  say(outcome, 8500ms, 1, ForwarderLeft{mover, PeerId{2}, 2});
  say(outcome, 8500ms, 1, SearchReleased{mover, giver});
  say(outcome, 8500ms, 1, SearchPassed{mover, giver, PeerId{2}});
  say(outcome, 9s, 3, DatumSent{mover, giver, PeerId{0}, 0, true});
  say(outcome, 10s, 2, DatumGiven{mover, giver, 3});
  say(outcome, 11s, 0, ForwarderGone{mover});
  outcome.facts.sort();
  return outcome;
}

}  // namespace

TEST_CASE("a chain tells where its task was, and how long forwarders to it lived") {
  const Chain chain = chain_of(moved_twice(), mover).value();
  REQUIRE(chain.stays.size() == 3);
  const Stay& first = chain.stays[0];
  CHECK(first.peer == PeerId{0});
  CHECK(first.until == test::at(1s));
  CHECK(first.to == PeerId{1});
  CHECK(first.forwards_from == test::at(3s));
  CHECK(first.forwards_until == test::at(11s));
  CHECK(chain.stays[1].epoch == 1);
  CHECK(chain.stays[1].forwards_from == test::at(8500ms));
  CHECK_FALSE(chain.stays[1].forwards_until);
  CHECK(chain.stays[2].peer == PeerId{2});
  CHECK_FALSE(chain.stays[2].until);
}

TEST_CASE("a chain tells which peers searched for its task, by which way and for how long") {
  const Chain chain = chain_of(moved_twice(), mover).value();
  REQUIRE(chain.searches.size() == 1);
  const DataSearch& search = chain.searches.front();
  CHECK(search.origin == PeerId{3});
  CHECK(search.aimed == PeerId{0});
  CHECK(search.way == std::vector<PeerId>{PeerId{0}, PeerId{1}});
  CHECK(search.held == 500ms);
  CHECK(search.again == 1);
  CHECK(search.at == PeerId{2});
  CHECK(search.given == test::at(10s));
  CHECK(search.hops == 3);
  CHECK(text_of(chain).find("by peer 0, by peer 1: found at") != std::string::npos);
}

TEST_CASE("a task that no locator was given has no chain") {
  CHECK_FALSE(chain_of(moved_twice(), TaskId{7, 0}));
  CHECK_FALSE(chain_of(test::quiet_outcome(2), mover));
}

}  // namespace rhizome::chain_test
