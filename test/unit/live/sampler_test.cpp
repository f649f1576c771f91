#include "scenarios/live/sampler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "agents/facts.hpp"
#include "test/support/boards.hpp"

namespace rhizome::sampler_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::PeerId;

namespace {

agents::ParentChanged to_parent(std::uint32_t parent) {
  return {.root = PeerId{0}, .parent = PeerId{parent}, .former = core::no_peer, .reason = "join"};
}

}  // namespace

TEST_CASE("a sample adds up the counts of all peers, and has a row for each") {
  test::HandmadeBoard made(3);
  made.board().pass(core::Time{5s});
  for (int i = 0; i < 4; ++i) made.send(1, core::MessageClass::job);
  made.send(2, core::MessageClass::result);
  made.recorder(0).received({}, {}, 60);
  made.recorder(0).dropped(core::Drop::stale);
  made.recorder(2).dropped(core::Drop::lost);
  made.recorder(2).vitals().punctuality_of(core::Vitals::Measure::timer).add(9ms, 5ms);
  made.recorder(2).vitals().punctuality_of(core::Vitals::Measure::handler).add(9ms, 5ms);
  made.recorder(1).vitals().is({.life = {2}, .alive = true, .finished = true});
  made.recorder(0).vitals().is({});
  made.recorder(1).vitals().waiting.set(3);
  made.recorder(2).vitals().waiting.set(4);
  RunSampler sampler(made.board());
  sampler.sample(1, true);
  CHECK(sampler.now() == core::Time{5s});
  const Totals& totals = sampler.totals();
  CHECK(totals.sent == std::array<std::uint64_t, 3>{0, 4, 1});
  CHECK(totals.sent_bytes == std::array<std::uint64_t, 3>{0, 400, 100});
  CHECK(totals.received == 1);
  CHECK(totals.received_bytes == 60);
  CHECK(totals.dropped[static_cast<std::size_t>(core::Drop::stale)] == 1);
  CHECK(totals.dropped[static_cast<std::size_t>(core::Drop::lost)] == 1);
  CHECK(totals.alive == 2);
  CHECK(totals.finished == 1);
  CHECK(totals.tasks.waiting == 7);
  CHECK(totals.lateness[1] == Lateness{.seen = 1, .late = 1});
  const Row& row = sampler.rows().row(PeerId{1});
  CHECK(of(row, Column::job) == 4);
  CHECK(of(row, Column::waiting) == 3);
  CHECK(sent_by(row) == 4);
  CHECK(is_alive(row));
  CHECK(has_finished(row));
  CHECK(life_of(row) == core::Incarnation{2});
  CHECK_FALSE(is_alive(sampler.rows().row(PeerId{0})));
  CHECK(of(sampler.rows().row(PeerId{0}), Column::dropped) == 1);
  CHECK(of(sampler.rows().row(PeerId{2}), Column::result) == 1);
  CHECK(of(sampler.rows().row(PeerId{2}), Column::late) == 1);
}

TEST_CASE("tasks are counted always, and facts are kept while a monitor listens") {
  test::HandmadeBoard made(2);
  RunSampler sampler(made.board());
  made.note(0, agents::TaskSubmitted{.task = {1, 0}});
  made.note(1, agents::TaskStarted{.task = {1, 0}});
  sampler.sample(1, false);
  CHECK(sampler.totals().tasks.submitted == 1);
  CHECK(sampler.totals().tasks.started == 1);
  CHECK(sampler.facts().slice(0, 10).facts.empty());
  made.note(1, agents::TaskExecuted{.task = {1, 0}});
  made.note(0, agents::TaskCompleted{.task = {1, 0}, .executor = PeerId{1}});
  sampler.sample(2, true);
  CHECK(sampler.totals().tasks.completed == 1);
  const FactSlice slice = sampler.facts().slice(0, 10);
  REQUIRE(slice.facts.size() == 2);
  CHECK(slice.next == 5);
  for (const LiveFact& fact : slice.facts)
    CHECK(fact_infos()[fact.kind] ==
          (fact.peer == PeerId{0} ? &agents::TaskCompleted::info : &agents::TaskExecuted::info));
}

TEST_CASE("facts of several peers that are read together come in order of time") {
  test::HandmadeBoard made(3);
  RunSampler sampler(made.board());
  for (const std::uint32_t second : {1U, 2U, 3U, 4U, 5U}) {
    made.board().pass(core::Time{std::chrono::seconds(second)});
    for (const std::uint32_t portion : {0U, 1U})
      made.note((7 - second) % 3, agents::TaskStarted{.task = {second, portion}});
  }
  sampler.sample(1, true);
  std::vector<agents::TaskId> tasks;
  for (const LiveFact& fact : sampler.facts().slice(0, 99).facts) {
    agents::TaskStarted started;
    REQUIRE(core::decode(fact.payload, started) == core::DecodeError::none);
    tasks.push_back(started.task);
  }
  CHECK(tasks.size() == 10);
  CHECK(std::is_sorted(tasks.begin(), tasks.end()));
}

TEST_CASE("if a frame has too many facts the latest are kept, and the others counted") {
  constexpr std::uint32_t count = 3 * RunSampler::fresh_facts;
  test::HandmadeBoard made(2);
  RunSampler sampler(made.board());
  for (std::uint32_t i = 0; i < count; ++i) {
    made.board().pass(core::Time{core::Duration(i)});
    made.note(i % 2, agents::TaskStarted{.task = {1, i}});
  }
  sampler.sample(1, true);
  CHECK(sampler.totals().tasks.started == count);
  const FactSlice slice = sampler.facts().slice(1, count);
  CHECK(slice.facts.size() == RunSampler::fresh_facts);
  CHECK(slice.missed == count - RunSampler::fresh_facts);
  CHECK(slice.next == count + 1);
  CHECK(slice.facts.front().at == core::Time{core::Duration(count - RunSampler::fresh_facts)});
  CHECK(slice.facts.back().at == core::Time{core::Duration(count - 1)});
}

TEST_CASE("facts of one peer at one time stay in order, also where some are left out") {
  constexpr std::uint32_t count = 2 * RunSampler::fresh_facts;
  test::HandmadeBoard made(1);
  RunSampler sampler(made.board());
  for (std::uint32_t i = 0; i < count; ++i) made.note(0, agents::TaskStarted{.task = {1, i}});
  sampler.sample(1, true);
  std::uint32_t next = count - static_cast<std::uint32_t>(RunSampler::fresh_facts);
  for (const LiveFact& fact : sampler.facts().slice(0, count).facts) {
    agents::TaskStarted started;
    REQUIRE(core::decode(fact.payload, started) == core::DecodeError::none);
    CHECK(started.task.portion == next++);
  }
}

TEST_CASE("a long run is read piece by piece, and no peer's facts wait for ever") {
  test::HandmadeBoard made(3);
  for (std::uint32_t i = 0; i < 30; ++i) made.note(i % 3, agents::TaskStarted{.task = {1, i}});
  RunSampler sampler(made.board());
  for (std::uint64_t frame = 1; frame <= 5; ++frame) {
    sampler.sample(frame, true, 6);
    CHECK(sampler.totals().tasks.started == 6 * frame);
  }
  for (std::uint32_t i = 0; i < 3; ++i)
    CHECK(of(sampler.rows().row(PeerId{i}), Column::facts) == 10);
}

TEST_CASE("the parent of a peer in a frame is its parent or leader, until either life ends") {
  test::HandmadeBoard made(3);
  RunSampler sampler(made.board());
  std::uint64_t frame = 0;
  const auto above = [&](std::uint32_t peer) {
    sampler.sample(++frame, true);
    return above_of(sampler.rows().row(PeerId{peer}));
  };
  CHECK(above(2) == core::no_peer);
  made.note(2, to_parent(1));
  CHECK(above(2) == PeerId{1});
  made.note(2, to_parent(0));
  CHECK(above(2) == PeerId{0});
  made.recorder(2).vitals().is({.life = {}, .alive = false});
  CHECK(above(2) == core::no_peer);
  made.recorder(2).vitals().is({.life = {1}, .alive = true});
  CHECK(above(2) == core::no_peer);
  made.note(2, agents::GroupChanged{.leader = PeerId{2}, .reason = "election"});
  CHECK(above(2) == core::no_peer);
  made.note(2, agents::GroupChanged{.leader = PeerId{0}, .reason = "merge"});
  CHECK(above(2) == PeerId{0});
}

}  // namespace rhizome::sampler_test
