// A run in a monitor's memory after twelve seconds: 100 peers in a tree under #17, of which #3 and
// #44 are down, with events, a plan, other runs and the story of a task.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/seen/knowledge.hpp"

namespace rhizome::test {

template <class F>
scenarios::live::LiveFact noted(core::Duration at, std::uint32_t peer, const F& fact) {
  scenarios::live::LiveFact told{
      .at = core::Time{at}, .peer = core::PeerId{peer}, .kind = scenarios::live::fact_kind<F>};
  core::encode(fact, told.payload);
  return told;
}

struct WatchedRun {
  static constexpr std::uint32_t peers = 100;

  scenarios::live::Knowledge known;
  scenarios::live::Rows rows{peers};
  std::uint64_t frames = 0;

  WatchedRun() {
    known.welcome = {
        .scenario = "og-vs-atc", .runs = 10, .fact_kinds = scenarios::live::fact_kind_names()};
    for (std::uint64_t second = 1; second <= 12; ++second)
      if (!known.take(frame(second))) std::abort();
    known.take(plan());
    known.take(runs());
  }

  // #17 carries most; #4, #9 and every seventh are near it.
  static std::uint32_t above(std::uint32_t peer) {
    if (peer == 17 || peer == 3 || peer == 44 || peer == 61) return ~std::uint32_t{0};
    if (peer == 4 || peer == 9 || peer == 28) return 17;
    if (peer < 30) return peer % 2 == 0 ? 4 : 9;
    return peer % 3 == 0 ? 28 : peer % 30;
  }
  static scenarios::live::Row row_of(std::uint32_t peer, std::uint64_t seconds) {
    using scenarios::live::Column;
    const std::uint64_t share = peer == 17 ? 400 : peer % 7 == 0 ? 40 : peer % 3;
    const auto place = [](Column column) { return static_cast<std::size_t>(column); };
    scenarios::live::Row row{};
    row[place(Column::job)] = share * seconds;
    row[place(Column::information)] = 2 * share * seconds;
    row[place(Column::received)] = 3 * share * seconds;
    row[place(Column::sent_bytes)] = 300 * share * seconds;
    row[place(Column::running)] = peer % 2;
    row[place(Column::waiting)] = peer == 17 ? 52 : peer % 7 == 0 ? 1 : 0;
    row[place(Column::inbox)] = peer == 17 ? 3 : 0;
    row[place(Column::late)] = peer == 4 ? 2 : 0;
    row[place(Column::state)] = (peer == 23 ? 4U : 0U) | (peer == 3 || peer == 44 ? 0U : 1U);
    row[place(Column::above)] = above(peer) == ~std::uint32_t{0} ? 0 : above(peer) + 1;
    return row;
  }
  scenarios::live::Frame frame(std::uint64_t second) {
    using namespace std::chrono_literals;
    ++frames;
    for (std::uint32_t i = 0; i < peers; ++i) rows.set(core::PeerId{i}, row_of(i, second), frames);
    scenarios::live::Frame frame{
        .number = frames,
        .since = frames - 1,
        .run = {.number = 2,
                .scenario = "og-vs-atc",
                .label = "organic-grid",
                .engine = "threads",
                .seed = 7,
                .peers = peers,
                .tasks = 3600},
        .now = core::Time{second * 1s},
        .real = second * 1s,
        .totals = {.sent = {second * second * 90, second * 214, second * (second % 4) * 60},
                   .received = second * 200,
                   .dropped = {12},
                   .alive = 98,
                   .running = static_cast<std::uint32_t>(second * 10),
                   .tasks = {.submitted = 3000,
                             .started = second * 200,
                             .executed = second * 190,
                             .completed = second * 180,
                             .reissued = 3,
                             .jobs_completed = second * 10,
                             .waiting = 598},
                   .lateness = {{{.seen = 1000, .late = 3}, {.seen = 500, .late = 9}}}},
        .cost = {.share = 0.002, .interval = 100ms},
        .under_way = {2, 3}};
    frame.rows = rows.changed_after(frame.since);
    const auto job = static_cast<std::uint32_t>(second);
    frame.facts.next = 1 + 4 * second;
    frame.facts.facts = {
        noted(second * 1s - 30ms, 17, agents::TaskSubmitted{.task = {job, 3}}),
        noted(second * 1s - 20ms, 44, agents::TaskStarted{.task = {job, 4}}),
        noted(second * 1s - 10ms, 7, agents::TaskExecuted{.task = {job, 2}, .took = 104ms}),
        noted(second * 1s, 9,
              agents::ParentChanged{.root = core::PeerId{17},
                                    .parent = core::PeerId{4},
                                    .former = core::PeerId{17},
                                    .reason = "promo\x1b[2Jtion"})};
    return frame;
  }
  static scenarios::live::Plan plan() {
    using namespace std::chrono_literals;
    using Kind = core::Fault::Kind;
    scenarios::live::Plan plan{.run = 2};
    plan.foreseen.lag_tolerance = 5ms;
    plan.foreseen.faults = {{core::Time{4s}, core::PeerId{23}, Kind::crash},
                            {core::Time{6s}, core::PeerId{23}, Kind::restart},
                            {core::Time{8s}, core::PeerId{44}, Kind::crash},
                            {core::Time{9s}, core::PeerId{3}, Kind::leave}};
    plan.foreseen.partings = {{core::Time{20s}, core::Time{24s}}};
    for (std::uint32_t i = 0; i < peers; ++i)
      plan.foreseen.speeds.push_back(1 - 0.005 * static_cast<double>(i));
    return plan;
  }
  scenarios::live::RunsAnswer runs() const {
    using namespace std::chrono_literals;
    using Level = scenarios::Validity::Level;
    scenarios::live::RunTitle other = known.state.frame().run;
    other.number = 3;
    other.label = "air-traffic";
    return {.under_way = {{known.state.frame().run, core::Time{12s}, 2160},
                          {other, core::Time{3s}, 40}},
            .ends = {{.run = 0,
                      .label = "organic-grid",
                      .ended = core::Time{5167ms},
                      .judged = true,
                      .validity = Level::valid},
                     {.run = 1,
                      .label = "air-traffic",
                      .ending = core::Ending::limit,
                      .ended = core::Time{7s},
                      .judged = true,
                      .validity = Level::suspect,
                      .reason = "packets were late",
                      .violations = {"completes-once: task 1.2 completed more than once"}}}};
  }
  // The run's answer about task 12.4, before the last second.
  static scenarios::live::FoundFacts story() {
    using namespace std::chrono_literals;
    return {.whole = true,
            .searched = 4800,
            .facts = {noted(7100ms, 17, agents::TaskSubmitted{.task = {12, 4}}),
                      noted(7300ms, 44, agents::TaskStarted{.task = {12, 4}}),
                      noted(9160ms, 17,
                            agents::TaskReissued{
                                .task = {12, 4}, .holder = core::PeerId{44}, .reason = "silent"})}};
  }
};

}  // namespace rhizome::test
