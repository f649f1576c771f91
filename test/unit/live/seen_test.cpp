// A monitor's conclusions from frames: trees, moves, suspicions, the past.
#include <doctest/doctest.h>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/seen/forest.hpp"
#include "scenarios/live/seen/history.hpp"
#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/seen/moves.hpp"

namespace rhizome::seen_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;

namespace {

template <class F>
LiveFact noted(core::Duration at, std::uint32_t peer, const F& fact) {
  LiveFact told{.at = core::Time{at}, .peer = PeerId{peer}, .kind = fact_kind<F>};
  core::encode(fact, told.payload);
  return told;
}

// Peers with the given parents; -1: no parent.
std::vector<Row> under(const std::vector<int>& above) {
  std::vector<Row> rows(above.size());
  for (std::size_t i = 0; i < above.size(); ++i) {
    rows[i][static_cast<std::size_t>(Column::state)] = 1;
    rows[i][static_cast<std::size_t>(Column::above)] = static_cast<std::uint64_t>(above[i] + 1);
  }
  return rows;
}

// A run of three peers: one sends something in each frame and one notes a fact.
struct Told {
  Rows rows{3};
  std::uint64_t frames = 0;

  Frame next(std::uint32_t run = 0, bool whole = false) {
    ++frames;
    for (std::uint32_t i = 0; i < 3; ++i) {
      Row row{};
      row[0] = (i + 1) * frames;
      row[static_cast<std::size_t>(Column::state)] = 1;
      rows.set(PeerId{i}, row, frames);
    }
    Frame frame{.number = frames,
                .since = whole ? 0 : frames - 1,
                .run = {.number = run, .label = "any", .peers = 3},
                .now = core::Time{frames * 100ms},
                .real = frames * 100ms};
    frame.rows = rows.changed_after(frame.since);
    frame.facts = {.next = frames + 1};
    frame.facts.facts = {noted(frames * 100ms, 1, agents::JobCompleted{.job = 7})};
    return frame;
  }
};

Frame with_facts(std::vector<LiveFact> facts, std::uint64_t number = 1) {
  return {.number = number,
          .since = number - 1,
          .run = {.peers = 0},
          .now = core::Time{std::chrono::seconds(number)},
          .facts = {.facts = std::move(facts)}};
}

}  // namespace

TEST_CASE("a tree is computed from the parents of peers, from the root down") {
  const Forest forest = forest_of(under({-1, 0, 0, 1, 1, 3, -1}));
  CHECK(forest.roots == std::vector<PeerId>{{0}});
  CHECK(forest.levels == std::vector<std::uint32_t>{1, 2, 2, 1});
  CHECK(forest.below == std::vector<std::uint32_t>{5, 3, 0, 1, 0, 0, 0});
  CHECK(forest.depth[5] == 3);
  CHECK(forest.depth[6] == Forest::outside);
  CHECK(forest.members() == 6);
}

TEST_CASE(
    "peers in a circle, under themselves or under strangers are in no tree, and harm nothing") {
  const Forest circle = forest_of(under({1, 2, 0, 3, 99, -1, 5}));
  CHECK(circle.depth[0] == Forest::outside);
  CHECK(circle.depth[3] == Forest::outside);
  CHECK(circle.depth[4] == Forest::outside);
  CHECK(circle.roots == std::vector<PeerId>{{5}});
  CHECK(forest_of({}).roots.empty());
}

TEST_CASE("groups are trees side by side, the largest first") {
  const Forest forest = forest_of(under({-1, 0, -1, 2, 2}));
  CHECK(forest.roots == std::vector<PeerId>{{2}, {0}});
  CHECK(forest.levels == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("moves are told with their reasons, the latest first, and only the late ones") {
  const PeerId root{0};
  const std::deque<LiveFact> facts{
      noted(1s, 4, agents::ParentChanged{root, PeerId{1}, core::no_peer, "join"}),
      noted(8s, 5, agents::GroupChanged{PeerId{2}, "merger"}),
      noted(9s, 5, agents::JobCompleted{.job = 1}),
      noted(9s, 6, agents::ParentChanged{root, PeerId{3}, PeerId{1}, "evic\x1btion"})};
  const auto moves = moves_within(facts, fact_kind_names(), 5s);
  REQUIRE(moves.size() == 2);
  CHECK(moves[0].peer == PeerId{6});
  CHECK(moves[0].from == PeerId{1});
  CHECK(moves[0].reason == "evic\\x1btion");
  CHECK(moves[1].to == PeerId{2});
}

TEST_CASE("a state of the past is the one that was seen then, in all that it says") {
  Told run;
  State state;
  SeenHistory history;
  std::vector<State> seen;
  for (int i = 0; i < 250; ++i) {
    const Frame frame = run.next(i < 120 ? 0 : 1, i == 0 || i == 120);
    REQUIRE(state.apply(frame));
    history.add(frame, state);
    seen.push_back(state);
  }
  REQUIRE(history.begin() == 0);
  REQUIRE(history.end() == 250);
  for (const std::uint64_t number : {0U, 1U, 99U, 100U, 101U, 119U, 120U, 121U, 249U}) {
    CAPTURE(number);
    CHECK(history.at(number) == seen[number]);
    CHECK(history.at(number).fingerprint() == seen[number].fingerprint());
    CHECK(history.real_time(number) == seen[number].frame().real);
  }
  CHECK(history.at(5).fingerprint() != history.at(6).fingerprint());
}

TEST_CASE("the history of a monitor takes no more memory than it may, and forgets the oldest") {
  Told run;
  State state;
  SeenHistory history(400'000);
  for (int i = 0; i < 3000; ++i) {
    const Frame frame = run.next(0, i == 0);
    REQUIRE(state.apply(frame));
    history.add(frame, state);
    CHECK(history.bytes() < 1'500'000);  // the stretch that grows may go beyond
  }
  CHECK(history.begin() > 2000);
  CHECK(history.end() == 3000);
  CHECK(history.at(history.begin()).frame().number == history.begin() + 1);
  CHECK(history.at(2999) == state);
}

TEST_CASE("monitors that came early and late tell the same by their fingerprints") {
  Told run;
  State early;
  REQUIRE(early.apply(run.next(0, true)));
  REQUIRE(early.apply(run.next()));
  State late;
  REQUIRE(late.apply(early.whole_frame()));
  CHECK(late.fingerprint() == early.fingerprint());
  CHECK(late.rows() == early.rows());
  REQUIRE(early.apply(run.next()));
  CHECK(late.fingerprint() != early.fingerprint());
}

TEST_CASE("a task that two peers executed without a fault is suspected, once, with the peer") {
  Knowledge known{.welcome = {.fact_kinds = fact_kind_names()}};
  const agents::TaskExecuted executed{.task = {112, 3}};
  known.take(Plan{});
  SUBCASE("no fault") {}
  SUBCASE("before it is known whether there was a fault") { known.plan.reset(); }
  SUBCASE("after a crash") {
    known.take(
        Plan{.foreseen = {.faults = {{core::Time{1s}, PeerId{3}, core::Fault::Kind::crash}}}});
  }
  SUBCASE("where no more is promised") { known.take(Plan{.foreseen = {.at_least_once = true}}); }
  const bool suspected =
      known.plan && known.plan->foreseen.faults.empty() && !known.plan->foreseen.at_least_once;
  CHECK(known.take(with_facts({noted(1s, 3, executed)})));
  CHECK(known.suspicions.all().empty());
  CHECK(known.take(with_facts({noted(2s, 5, executed)}, 2)));
  REQUIRE(known.suspicions.all().size() == (suspected ? 1 : 0));
  if (!suspected) return;
  CHECK(known.suspicions.all()[0].peer == PeerId{5});
  CHECK(known.suspicions.all()[0].text ==
        "completes-once: task 112.3 was executed by #3 and by #5 without a fault");
}

TEST_CASE("packets received and never sent are suspected, packets read in between are not") {
  Knowledge known;
  Frame frame = with_facts({});
  frame.totals.received = 9;  // peers are read in turn: packets may have been sent meanwhile
  CHECK(known.take(frame));
  CHECK(known.suspicions.all().empty());
  frame = with_facts({}, 2);
  frame.totals.sent = {9, 0, 0};
  frame.totals.received = 10;
  CHECK(known.take(frame));
  CHECK(known.suspicions.all().empty());
  frame.number = 3;
  frame.since = 2;
  CHECK(known.take(frame));
  REQUIRE(known.suspicions.all().size() == 1);
  CHECK(known.suspicions.all()[0].text ==
        "packets-conserved: 10 packets were received, and 9 sent");
}

TEST_CASE("how runs ended is kept by run, and told once") {
  Knowledge known;
  known.take(RunsAnswer{.ends = {{.run = 0, .label = "a"}, {.run = 1, .label = "b"}}});
  known.take(Over{.directory = "", .ends = {{.run = 1, .label = "b"}, {.run = 2, .label = "c"}}});
  CHECK(known.ends.size() == 3);
  REQUIRE(known.end_of(2) != nullptr);
  CHECK(known.end_of(2)->label == "c");
  CHECK(known.end_of(3) == nullptr);
}

}  // namespace rhizome::seen_test
