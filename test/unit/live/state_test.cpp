#include "scenarios/live/state.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "agents/facts.hpp"
#include "scenarios/live/sampler.hpp"
#include "test/support/boards.hpp"

namespace rhizome::state_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;

namespace {

// A run, and the frames that it would show.
struct Shown {
  test::HandmadeBoard made{3};
  RunSampler sampler{made.board()};
  std::uint64_t frames = 0;

  void pass(core::Duration time) {
    made.board().pass(made.board().now() + time);
    sampler.sample(++frames, true);
  }
  [[nodiscard]] Frame frame(const Ask& ask) const {
    Frame frame{.number = frames,
                .since = ask.since,
                .run = {.number = 4, .label = "sparrow", .peers = 3},
                .now = sampler.now(),
                .totals = sampler.totals(),
                .rows = sampler.rows().changed_after(ask.since),
                .facts = sampler.facts().slice(ask.next_fact, ask.most_facts)};
    if (ask.past) frame.extras.past = {{.at = core::Time{1ms}, .completed = 0}};
    return frame;
  }
  void show(State& state) const { CHECK(state.apply(frame(state.next({}, 100)))); }
};

}  // namespace

TEST_CASE("monitors that came early, late or seldom know the same at the same frame") {
  Shown run;
  State early;
  State seldom;
  State late;
  for (std::uint32_t i = 0; i < 30; ++i) {
    run.made.send(i % 3, core::MessageClass::information);
    run.made.note(i % 2, agents::TaskStarted{.task = {0, i}});
    if (i == 12) run.made.recorder(1).vitals().is({.life = {}, .alive = false});
    if (i == 20) run.made.recorder(1).vitals().is({.life = {1}, .alive = true});
    run.pass(100ms);
    run.show(early);
    if (i % 7 == 0) run.show(seldom);
  }
  run.show(seldom);
  run.show(late);
  CHECK(early.rows() == late.rows());
  CHECK(early.rows() == seldom.rows());
  CHECK(early.frame().totals == late.frame().totals);
  CHECK(early.facts() == seldom.facts());
  CHECK(early.facts().size() == 30);
  CHECK(early.missed() == 0);
}

TEST_CASE("rates are of emulated time, between the two latest frames") {
  Shown run;
  State state;
  for (int i = 0; i < 4; ++i) run.made.send(1, core::MessageClass::job);
  run.pass(1s);
  run.show(state);
  CHECK(state.rate(PeerId{1}).sent == 0);  // the times of these messages are unknown
  for (int i = 0; i < 4; ++i) run.made.send(1, core::MessageClass::job);
  run.made.recorder(2).received({}, {}, 60);
  run.pass(2s);
  run.show(state);
  CHECK(state.rate(PeerId{1}).sent == 2);
  CHECK(state.rate(PeerId{2}).received == 0.5);
  run.show(state);  // no time has passed
  CHECK(state.rate(PeerId{1}).sent == 2);
  run.pass(1s);
  run.show(state);
  CHECK(state.rate(PeerId{1}).sent == 0);
}

TEST_CASE("a whole frame has a row for every peer, or no room is made for them") {
  const Rows rows(3);
  Frame frame{.number = 1, .run = {.peers = 3}, .rows = rows.changed_after(0)};
  State state;
  CHECK(state.apply(frame));
  CHECK(state.rows().size() == 3);
  frame.number = 2;
  frame.run.peers = 1'000'000;
  CHECK_FALSE(state.apply(frame));
  CHECK(state.empty());
}

TEST_CASE("a frame that does not follow, or is not sound, is refused, and all is asked for anew") {
  Shown run;
  State state;
  run.made.send(1, core::MessageClass::job);
  run.pass(1s);
  CHECK(state.next({}, 5).past);
  run.show(state);
  const Ask ask = state.next({}, 5);
  CHECK(ask.since == 1);
  CHECK(ask.known_run == 4);
  CHECK_FALSE(ask.past);
  run.pass(1s);
  Frame frame = run.frame(ask);
  SUBCASE("it is about another frame") { frame.since = 7; }
  SUBCASE("it is about another run") { frame.run.number = 5; }
  SUBCASE("it is about peers that there are not") { frame.rows = {3, 1, 9}; }
  SUBCASE("it goes back in time") { frame.now = core::Time{500ms}; }
  CHECK_FALSE(state.apply(frame));
  CHECK(state.empty());
  CHECK(state.next({}, 5).since == 0);
  CHECK(state.apply(run.frame(state.next({}, 5))));
}

TEST_CASE("the past is told once, and continues with new frames") {
  Shown run;
  State state;
  run.pass(1s);
  run.show(state);
  REQUIRE(state.moments().size() == 2);
  CHECK(state.moments()[0].at == core::Time{1ms});
  run.pass(1s);
  run.show(state);
  run.show(state);
  REQUIRE(state.moments().size() == 3);
  CHECK(state.moments()[2].at == core::Time{2s});
}

TEST_CASE("a run that is done again begins anew") {
  Shown run;
  State state;
  for (int i = 0; i < 9; ++i) run.made.send(1, core::MessageClass::job);
  run.pass(5s);
  run.show(state);
  Shown again;
  again.frames = 1;
  again.pass(1s);
  CHECK(state.apply(again.frame({.most_facts = 5, .past = true})));
  CHECK(sent_by(state.rows()[1]) == 0);
  CHECK(state.moments().back().at == core::Time{1s});
}

// A frame of three peers, whose second knows so many of the first.
Frame with_views(std::uint64_t number, std::uint64_t since, std::uint64_t views_since,
                 std::vector<std::uint64_t> list) {
  return {.number = number,
          .since = since,
          .run = {.peers = 3},
          .now = core::Time{core::Duration{number * 1s}},
          .rows = since == 0 ? Rows(3).changed_after(0) : std::vector<std::uint64_t>{},
          .extras = {.views = ViewChanges{.since = views_since, .list = std::move(list)}}};
}

TEST_CASE(
    "views are known from the frame on with which they came, and follow from frame to frame") {
  State state;
  CHECK(state.apply({.number = 1, .run = {.peers = 3}, .rows = Rows(3).changed_after(0)}));
  CHECK_FALSE(state.views());
  CHECK(state.next({}, 5, true).views);
  CHECK(state.next({}, 5, true).views_since == 0);
  CHECK(state.apply(with_views(2, 1, 0, {2, 2, 0, 1})));
  CHECK(state.next({}, 5, true).views_since == 2);
  const std::vector<PeerId> both{{0}, {2}};
  CHECK(state.views()->of(PeerId{1}, core::ViewKind::random) == both);
  CHECK(state.apply(with_views(3, 2, 2, {1, 1, 1})));
  CHECK(state.views()->of(PeerId{1}, core::ViewKind::random) == both);
  CHECK(state.views()->of(PeerId{0}, core::ViewKind::similar) == std::vector<PeerId>{{1}});
  State late;
  CHECK(late.apply(state.whole_frame()));
  CHECK(late.views() == state.views());
  CHECK(late.fingerprint() == state.fingerprint());
  SUBCASE("they are no longer told of") {
    CHECK(state.apply({.number = 4, .since = 3, .run = {.peers = 3}, .now = core::Time{4s}}));
    CHECK_FALSE(state.views());
  }
  SUBCASE("frames are among the states that two monitors know") {
    CHECK(late.apply(with_views(3, 0, 0, {1, 1, 2})));
    CHECK(late.fingerprint() != state.fingerprint());
  }
  SUBCASE("changes that follow another frame are refused") {
    CHECK_FALSE(state.apply(with_views(4, 3, 2, {})));
    CHECK(state.empty());
  }
  SUBCASE("changes that are not sound are refused") {
    CHECK_FALSE(state.apply(with_views(4, 3, 3, {0, 1, 3})));
    CHECK(state.empty());
  }
}

TEST_CASE("views that follow others are refused where none are known") {
  State state;
  CHECK(state.apply({.number = 1, .run = {.peers = 3}, .rows = Rows(3).changed_after(0)}));
  CHECK_FALSE(state.apply(with_views(2, 1, 1, {})));
}

}  // namespace rhizome::state_test
