// A peer under vector scheduling: packet in, effects out.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "test/support/lone_vector.hpp"

namespace rhizome::vector_test {

using agents::Over;
using namespace std::chrono_literals;
using namespace test::lone_vector;
using agents::TaskId;

TEST_CASE("a peer tells its neighbours of itself once it has measured itself") {
  Lone lone(worker, with([](Options& o) { o.recovery = false; }));
  CHECK(lone.count<Info>() == 0);
  REQUIRE(lone.peer.complete_next());
  REQUIRE(lone.count<Info>() == 3);
  CHECK(lone.peer.sent<Info>().front().second.vitals.benchmark == 200ms);
  lone.pass(lone.options.benchmark_interval);
  CHECK(lone.peer.works().size() == 1);
}

TEST_CASE("new work is divided at the next tick, once a neighbour is known") {
  Lone lone(source);
  lone.pass(3s);
  CHECK(lone.count<Transfer>() == 0);
  lone.hear(other, 0);
  lone.pass(1s);
  CHECK(lone.count<Transfer>() == 17);  // the longest queue keeps nothing, and one task runs
}

TEST_CASE("new work waits for the exchange if it is short, or if it is not spread at once") {
  for (const auto change : {+[](Options& o) { o.spread = RedistributionTrigger::never; },
                            +[](Options& o) { o.spread_above = 17; }}) {
    Lone lone(source, with(change));
    lone.hear(other, 0);
    lone.pass(18s);
    CHECK(lone.count<Transfer>() == 0);
    lone.pass(3s);
    CHECK(lone.count<Transfer>() >= 17);
  }
}

TEST_CASE("tasks from a neighbour are spread on only if arrivals are") {
  for (const bool on : {true, false}) {
    Options options;
    if (!on) options.spread = RedistributionTrigger::submissions;
    Lone lone(worker, options);
    lone.hear(other, 0);
    for (std::uint32_t i = 0; i < 5; ++i) lone.transfer(i, i);
    lone.pass(1s);
    CHECK((lone.count<Transfer>() > 0) == on);
  }
}

TEST_CASE("tasks go one by one, or bundled") {
  Lone lone(source, with([](Options& o) { o.bundled = true; }));
  lone.hear(other, 0);
  lone.pass(1s);
  REQUIRE(lone.count<Transfer>() == 1);
  CHECK(lone.peer.sent<Transfer>().front().second.tasks.size() == 17);
}

TEST_CASE("a task that is done is told to the source, and the next begins at once") {
  Lone lone(worker);
  REQUIRE(lone.peer.complete_next());  // the measurement
  lone.transfer(0, 4);
  lone.transfer(1, 5);
  REQUIRE(lone.peer.works().size() == 1);
  REQUIRE(lone.peer.complete_next());
  REQUIRE(lone.count<Result>() == 1);
  CHECK(lone.peer.sent<Result>().front().second.task == TaskId{0, 4});
  CHECK(lone.peer.works().size() == 1);
}

TEST_CASE("an idle peer asks all neighbours, not more often than it may, and not for ever") {
  Lone lone(worker);
  lone.pass(10s);
  CHECK(lone.count<Request>() == 0);
  lone.pass(2s);
  CHECK(lone.count<Request>() == 3);
  lone.pass(8s);
  CHECK(lone.count<Request>() == 3);
  lone.pass(200s);
  CHECK(lone.count<Request>() <= 3 * 6);
  CHECK(lone.count<Request>() >= 3 * 5);
}

TEST_CASE("requests can go on, or never be made") {
  Lone always(worker, with([](Options& o) { o.requests = Requests::always; }));
  always.pass(120s);
  CHECK(always.count<Request>() >= 3 * 10);
  Lone never(worker, with([](Options& o) { o.requests = Requests::never; }));
  never.pass(120s);
  CHECK(never.count<Request>() == 0);
}

TEST_CASE("a busy peer asks for nothing") {
  Lone lone(worker);
  lone.transfer(0, 4);
  lone.pass(60s);
  CHECK(lone.count<Request>() == 0);
}

TEST_CASE("a request is passed on once, one hop less far, and answered with work at once") {
  Lone lone(source);
  lone.hear(other, 5);
  lone.hear(third, 50);
  lone.peer.deliver(third, Request{.origin = other, .number = 7, .hops = 3});
  CHECK(lone.count<Transfer>() > 0);
  REQUIRE(lone.count<Request>() == 1);  // not back, and not to who began it
  CHECK(lone.peer.sent<Request>().front().first == worker);
  CHECK(lone.peer.sent<Request>().front().second.hops == 2);
  lone.peer.deliver(worker, Request{.origin = other, .number = 7, .hops = 3});
  lone.peer.deliver(third, Request{.origin = other, .number = 8, .hops = 1});
  CHECK(lone.count<Request>() == 1);
}

TEST_CASE("redistributing costs work, where it is said to") {
  Lone lone(worker, with([](Options& o) { o.overhead = 50ms; }));
  REQUIRE(lone.peer.complete_next());
  lone.peer.deliver(other, Request{.origin = other, .number = 1, .hops = 1});
  REQUIRE(lone.peer.works().size() == 1);
  CHECK(lone.peer.works().front().duration == 50ms);
  lone.peer.deliver(other, Request{.origin = other, .number = 2, .hops = 1});
  CHECK(lone.peer.works().size() == 1);
  REQUIRE(lone.peer.complete_next());
  CHECK(lone.count<Result>() == 0);
}

TEST_CASE("a refused task comes back, and its neighbour is passed over until it tells again") {
  Lone lone(source);
  lone.hear(other, 0);
  lone.pass(1s);
  REQUIRE(lone.count<Transfer>() == 17);
  lone.peer.forget();
  lone.pass(19s);  // 1 s, 2 s, and 4 s four times
  CHECK(lone.count<Transfer>() == 17 * (Carrier::most_tries - 1));
  CHECK(test::count_facts<agents::TaskReissued>(lone.peer, "it was not taken") == 17);
  lone.peer.forget();
  lone.pass(20s);
  CHECK(lone.count<Transfer>() == 0);
}

TEST_CASE("a neighbour that has been silent for three exchanges is passed over") {
  Lone lone(source, with([](Options& o) { o.spread = RedistributionTrigger::never; }));
  lone.hear(other, 1'000);
  lone.pass(40s);
  CHECK(lone.count<Transfer>() == 0);
  CHECK(lone.peer.protocol().neighbours_seen(lone.peer.now()) == 1);
  lone.pass(30s);
  CHECK(lone.peer.protocol().neighbours_seen(lone.peer.now()) == 0);
}

TEST_CASE("a peer reports its tasks and results, and repeats the report until it is noted") {
  Lone lone(worker);
  REQUIRE(lone.peer.complete_next());
  lone.transfer(0, 4);
  lone.transfer(1, 5);
  REQUIRE(lone.peer.complete_next());
  lone.pass(lone.options.report);
  REQUIRE(lone.count<Report>() >= 1);
  const Report report = lone.peer.sent<Report>().front().second;
  CHECK(report.held == std::vector{TaskId{0, 5}});
  CHECK(report.done == std::vector{TaskId{0, 4}});
  lone.peer.forget();
  lone.pass(1s);
  CHECK(lone.count<Report>() == 1);
  lone.peer.deliver(source, Heard{.noted = {TaskId{0, 4}}, .needless = {TaskId{0, 5}}});
  lone.peer.forget();
  lone.pass(lone.options.report - 100ms);
  CHECK(lone.count<Report>() == 0);
  lone.pass(100ms);
  REQUIRE(lone.count<Report>() == 1);
  CHECK(lone.peer.sent<Report>().front().second.held.empty());
}

TEST_CASE("a task that moves faster than peers report is told of once by each that had it") {
  Lone lone(worker);
  lone.hear(other, 0);
  for (std::uint32_t i = 0; i < 5; ++i) lone.transfer(i, i);
  lone.pass(1s);
  for (const auto& [to, transfer] : lone.peer.sent<Transfer>())
    lone.peer.deliver(to, Taken{transfer.number});
  lone.peer.forget();
  lone.pass(lone.options.report);
  REQUIRE(lone.count<Report>() >= 1);
  CHECK(lone.peer.sent<Report>().front().second.held.size() == 5);
  lone.peer.deliver(source, Heard{});
  lone.peer.forget();
  lone.pass(lone.options.report);
  REQUIRE(lone.count<Report>() == 1);
  CHECK(lone.peer.sent<Report>().front().second.held.size() == 1);
}

TEST_CASE("the source notes results that come by a report once") {
  Lone lone(source);
  const Report report{.held = {TaskId{0, 2}}, .done = {TaskId{0, 3}}};
  lone.peer.deliver(other, report);
  lone.peer.deliver(other, report);
  REQUIRE(lone.count<Heard>() == 2);
  CHECK(lone.peer.sent<Heard>().back().second.noted == report.done);
  CHECK(lone.peer.sent<Heard>().back().second.needless.empty());
  CHECK(test::count_facts<agents::TaskCompleted>(lone.peer) == 1);
  CHECK(test::count_facts<agents::TaskDuplicate>(lone.peer) == 0);
  lone.peer.deliver(third, Report{.held = report.done, .done = {}});
  CHECK(lone.peer.sent<Heard>().back().second.needless == report.done);
}

TEST_CASE("a result that comes twice is one, unless it is of two executors") {
  Lone lone(source);
  for (const PeerId from : {other, other, third}) lone.peer.deliver(from, Result{{0, 3}});
  CHECK(test::count_facts<agents::TaskCompleted>(lone.peer) == 1);
  CHECK(test::count_facts<agents::TaskDuplicate>(lone.peer) == 1);
}

TEST_CASE("a task that no peer tells of is handed out again, and its last holder named") {
  Lone lone(source);
  lone.hear(other, 0);
  lone.pass(1s);
  for (const auto& [to, transfer] : lone.peer.sent<Transfer>())
    lone.peer.deliver(to, Taken{transfer.number});
  lone.pass(lone.options.report);  // until then the source tells itself of what it had
  lone.peer.deliver(third, Report{.held = {TaskId{0, 9}}, .done = {}});
  lone.pass(lone.options.lease - 2s);
  CHECK(test::count_facts<agents::TaskReissued>(lone.peer) == 0);
  lone.pass(2 * lone.options.report);
  const auto again = test::only<agents::TaskReissued>(lone.peer.facts());
  REQUIRE(again.size() == 17);
  for (const agents::TaskReissued& each : again)
    CHECK(each.holder == (each.task == TaskId{0, 9} ? third : source));
}

TEST_CASE("without recovery no peer reports, and nothing is handed out again") {
  Lone lone(source, with([](Options& o) { o.recovery = false; }));
  lone.hear(other, 0);
  lone.pass(100s);
  CHECK(test::count_facts<agents::TaskReissued>(lone.peer) == 0);
  Lone apart(worker, with([](Options& o) { o.recovery = false; }));
  apart.pass(100s);
  CHECK(apart.count<Report>() == 0);
}

TEST_CASE("the run is over for all once the source is drained, also for a peer that reports late") {
  Lone lone(source);
  while (lone.peer.complete_next()) continue;
  REQUIRE(lone.count<Over>() == 3);
  CHECK(lone.peer.finished());
  CHECK(lone.peer.timers().empty());
  lone.peer.deliver(other, Report{});
  CHECK(lone.count<Over>() == 4);
  Lone told(worker);
  told.transfer(0, 4);
  told.peer.deliver(source, Over{});
  CHECK(told.peer.finished());
  CHECK(told.peer.works().empty());
  CHECK(told.peer.timers().empty());
}

TEST_CASE("a source that begins anew ends the run, and says why") {
  const Lone lone(source, {}, {1});
  CHECK(lone.peer.finished());
  CHECK(lone.count<Over>() == 3);
  CHECK(test::count_facts<agents::RunFailed>(lone.peer) == 1);
}

TEST_CASE("a later life reports at once, in case the run is over") {
  Lone lone(worker, {}, {1});
  lone.pass(0s);
  CHECK(lone.count<Report>() == 1);
}

TEST_CASE("impossible messages are refused") {
  const auto refuses = [](PeerId self, PeerId from, const auto& message) {
    Lone lone(self);
    lone.peer.forget();
    lone.peer.deliver(from, message);
    return lone.peer.refused() == core::Drop::implausible;
  };
  const auto info = [](PeerMetrics vitals) { return Info{.vitals = vitals, .mark = {0, 1}}; };
  CHECK(!refuses(worker, other, info({})));
  CHECK(refuses(worker, PeerId{9}, info({})));
  CHECK(refuses(worker, other, info({.left = -1s})));
  CHECK(refuses(worker, other, info({.benchmark = -1s})));
  CHECK(refuses(worker, other, info({.history = -1s})));
  CHECK(refuses(worker, other, Info{.mark = {0, 1}, .echo = {0, 1}, .held = -1s}));
  CHECK(refuses(worker, other, Request{core::no_peer, 1, 1}));
  CHECK(refuses(worker, other, Request{third, 1, 101}));
  CHECK(refuses(worker, other, Transfer{.tasks = {{.id = {9, 9}}}}));
  CHECK(refuses(worker, other, Result{{0, 0}}));
  CHECK(refuses(source, other, Result{{7, 0}}));
  CHECK(refuses(source, other, Report{.held = {{7, 0}}, .done = {}}));
  CHECK(refuses(source, other, Report{.held = {}, .done = {{7, 0}}}));
  CHECK(refuses(worker, other, Over{}));
  CHECK(refuses(worker, other, Heard{}));
}

}  // namespace rhizome::vector_test
