#include "scenarios/outcome/metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "agents/sparrow/facts.hpp"
#include "test/support/metric_values.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::scenarios::metrics_test {

using namespace std::chrono_literals;
using test::applies;
using test::at;
using test::busy_outcome;
using test::quiet_outcome;
using test::value;

TEST_CASE("every metric has its own name, a title and a sentence") {
  std::set<std::string> names;
  for (const Metric& metric : metrics()) {
    CHECK(names.insert(metric.name).second);
    CHECK_FALSE(metric.title.empty());
    CHECK(metric.meaning.ends_with('.'));
  }
  CHECK(find_metric("no such") == nullptr);
  CHECK(metric_names().size() == metrics().size());
}

TEST_CASE("no two metrics share a definition, and messages are distinguished by their class") {
  std::map<std::string, std::string> metric_by_meaning;
  for (const Metric& metric : metrics()) {
    const auto [other, fresh] = metric_by_meaning.emplace(metric.meaning, metric.name);
    CHECK_MESSAGE(fresh, metric.name << " is defined as " << other->second);
  }
  CHECK(find_metric("job_messages")->meaning ==
        "Messages that carry tasks, counted when they are sent.");
  CHECK(find_metric("information_bytes_top2")->meaning ==
        "Bytes of messages that carry neither tasks nor results, sent and received by the second "
        "most loaded peer by this count.");
  CHECK(find_metric("p95_queueing")->meaning ==
        "Time from a task's submission to its first start that 95 of 100 tasks do not exceed.");
}

TEST_CASE("wrong results are counted where something was computed") {
  Outcome outcome = busy_outcome();
  CHECK_FALSE(applies(outcome, "wrong_results"));
  test::say(outcome, 20s, 1, agents::TaskComputed{{0, 0}, "checksum 7", true});
  CHECK(value(outcome, "wrong_results") == 0);
  test::say(outcome, 21s, 1, agents::TaskComputed{{0, 1}, "checksum 8", false});
  CHECK(value(outcome, "wrong_results") == 1);
}

TEST_CASE("messages are totals of sent packets, by class, in messages, bytes and portions") {
  const Outcome outcome = busy_outcome();
  CHECK(value(outcome, "job_messages") == 4);
  CHECK(value(outcome, "result_messages") == 4);
  CHECK(value(outcome, "information_messages") == 0);
  CHECK(value(outcome, "job_bytes") == 400);
  CHECK(value(outcome, "result_bytes") == 200);
  CHECK(value(outcome, "job_portions") == 4);
}

TEST_CASE("the burden of a peer is the messages it sent and received, and peers rank by it") {
  Outcome outcome = busy_outcome();
  outcome.peers[2].burdens[0].received += {5, 500, 50};
  CHECK(value(outcome, "job_messages_top1") == 7);
  CHECK(value(outcome, "job_messages_top2") == 4);
  CHECK(value(outcome, "job_messages_top3") == 2);
  CHECK(value(outcome, "job_portions_top1") == 52);
  CHECK(value(outcome, "job_bytes_top3") == 200);
  outcome.peers.resize(2);
  CHECK(std::isnan(value(outcome, "job_messages_top3")));
}

TEST_CASE("times are measured from submission to completion") {
  Outcome outcome = busy_outcome();
  CHECK(value(outcome, "makespan") == doctest::Approx(13));
  CHECK(value(outcome, "mean_response") == doctest::Approx(3));
  CHECK(value(outcome, "mean_slowdown") == doctest::Approx(1.5));
  CHECK(value(outcome, "mean_stretch") == doctest::Approx(1));
  CHECK(value(outcome, "mean_queueing") == doctest::Approx(1));
  CHECK(value(outcome, "throughput") == doctest::Approx(4.0 / 13));
  CHECK(value(outcome, "utilisation") == doctest::Approx(8.0 / (3 * 13)));
  outcome.jobs[1].completed_at = at(20s);
  CHECK(value(outcome, "mean_response") == doctest::Approx(6.5));
  CHECK(value(outcome, "p99_response") == doctest::Approx(10));
}

TEST_CASE("tasks that never completed have no part in times but are missing from the count") {
  Outcome outcome = busy_outcome();
  outcome.tasks[3].completed = false;
  outcome.tasks[3].completed_at = {};
  outcome.jobs[1].completed = false;
  CHECK(value(outcome, "completed") == 3);
  CHECK(value(outcome, "mean_response") == doctest::Approx(3));
}

TEST_CASE("repeated work is counted") {
  Outcome outcome = busy_outcome();
  CHECK(value(outcome, "reexecutions") == 0);
  outcome.tasks[0].executions = 3;
  outcome.tasks[1].executions = 0;
  outcome.tasks[0].duplicates = 2;
  outcome.tasks[2].reissues = 5;
  CHECK(value(outcome, "reexecutions") == 2);
  CHECK(value(outcome, "executions") == doctest::Approx(5.0 / 4));
  CHECK(value(outcome, "duplicates") == 2);
  CHECK(value(outcome, "reissues") == 5);
}

TEST_CASE("moves and arrivals are counted for each task") {
  Outcome outcome = busy_outcome();
  for (const TaskOutcome& task : outcome.tasks)
    test::say(outcome, 10s, 0, agents::TaskSubmitted{task.id});
  CHECK(value(outcome, "moves_per_task") == 1);
  CHECK(value(outcome, "result_arrivals") == 1);
  outcome.peers[1].burdens[0].sent.units += 2;
  outcome.peers[0].burdens[1].received.units += 2;
  CHECK(value(outcome, "moves_per_task") == 1.5);
  CHECK(value(outcome, "result_arrivals") == 1.5);
  outcome.tasks[0].executor = core::PeerId{0};  // a result at the source itself needs no message
  CHECK(value(outcome, "result_arrivals") == 2);
  test::say(outcome, 10s, 1, agents::TaskSubmitted{{0, 99}});
  CHECK_FALSE(applies(outcome, "result_arrivals"));  // for there is another source
}

TEST_CASE("how a job spreads does not depend on when it began") {
  Outcome outcome = busy_outcome();
  CHECK(value(outcome, "job_spread") == 0);
  outcome.tasks[1].started_at += 3s;
  CHECK(value(outcome, "job_spread") == 1.5);
  outcome.tasks[0].started_at += 1s;
  CHECK(value(outcome, "job_spread") == 1);
}

TEST_CASE("half of the peers are at work when as many have started a task, if ever") {
  Outcome outcome = busy_outcome();
  CHECK(value(outcome, "half_at_work") == 13);
  const auto start = [&](core::Duration when, std::uint32_t peer) {
    test::say(outcome, when, peer, agents::TaskStarted{});
  };
  start(13s, 1);
  start(14s, 1);
  CHECK(value(outcome, "half_at_work") == 13);
  start(15s, 2);
  CHECK(value(outcome, "half_at_work") == 15);
}

TEST_CASE("the root's children are weighed against all peers, over time and in the end") {
  Outcome outcome = busy_outcome();
  outcome.facts = {};
  outcome.peers[1].speed = 1;
  outcome.peers[2].speed = 3;
  const auto join = [&](core::Duration when, std::uint32_t peer, std::uint32_t parent) {
    test::say(outcome, when, peer,
              agents::ParentChanged{core::PeerId{0}, core::PeerId{parent}, core::no_peer, "join"});
  };
  test::say(outcome, 0s, 0, agents::TaskSubmitted{});
  CHECK_FALSE(applies(outcome, "root_children_speed"));
  join(0s, 1, 0);
  join(0s, 2, 1);
  CHECK(value(outcome, "root_children_speed") == doctest::Approx(0.5));
  CHECK(value(outcome, "speed_depth_correlation_over_time") == doctest::Approx(1));
  join(6500ms, 2, 0);  // half of the makespan of 13 s
  join(6500ms, 1, 2);
  CHECK(value(outcome, "root_children_speed_last") == doctest::Approx(1.5));
  CHECK(value(outcome, "root_children_speed") == doctest::Approx(1.01));
  CHECK(value(outcome, "speed_depth_correlation") == doctest::Approx(-1));
  CHECK(value(outcome, "speed_depth_correlation_over_time") == doctest::Approx(-0.02));
}

TEST_CASE("instants lie evenly in a run of a hundred years, too") {
  Outcome outcome = busy_outcome();
  outcome.facts = {};
  outcome.peers[1].speed = 1;
  outcome.peers[2].speed = 3;
  constexpr core::Duration century = 876'000h;
  REQUIRE(outcome.tasks.at(0).completed);
  outcome.tasks.at(0).completed_at = core::Time{} + century;
  const auto join = [&](core::Duration when, std::uint32_t peer) {
    test::say(outcome, when, peer,
              agents::ParentChanged{core::PeerId{0}, core::PeerId{0}, core::no_peer, "join"});
  };
  test::say(outcome, 0s, 0, agents::TaskSubmitted{});
  join(0s, 1);
  join(century / 2 - 1h, 2);
  CHECK(value(outcome, "root_children_speed") == doctest::Approx(0.755));
}

// However often it moves on, and also where a start is written down before the submission of the
// same instant.
TEST_CASE("a self-assigned task starts first at the peer where it was submitted") {
  Outcome outcome = quiet_outcome(3);
  const auto submit = [&](std::uint32_t peer, std::uint32_t task) {
    test::say(outcome, 1s, peer, agents::TaskSubmitted{{0, task}});
  };
  const auto start = [&](std::uint32_t peer, std::uint32_t task) {
    test::say(outcome, 1s, peer, agents::TaskStarted{{0, task}});
  };
  submit(0, 10);
  start(0, 10);
  start(1, 10);  // again elsewhere
  start(2, 11);
  submit(2, 11);
  submit(0, 12);
  start(1, 12);
  submit(1, 12);  // taken over later on
  submit(0, 13);  // never starts
  CHECK(value(outcome, "self_assigned") == doctest::Approx(2.0 / 3));
}

TEST_CASE("probes that stay at their first peer count among those that went on") {
  Outcome outcome = quiet_outcome(2);
  outcome.kinds = {{"sparrow", "deposited", core::MessageClass::information, 0, 1}};
  core::BurdenRow deposited{0, 1, core::MessageClass::information, core::Cause::probe, {}, {}};
  deposited.sent.messages = 2;
  for (auto& peer : outcome.peers) peer.burdens = {deposited};
  CHECK(value(outcome, "probe_hops") == 0);
  test::say(outcome, 1s, 0, agents::sparrow::ProbeSettled{{0, 7}, core::PeerId{1}, 3});
  CHECK(value(outcome, "probe_hops") == 0.75);
}

TEST_CASE("a count of nothing is 0, and a mean of nothing does not apply") {
  const Outcome outcome;
  for (const char* count : {"completed", "reexecutions", "dropped", "job_messages"})
    CHECK(value(outcome, count) == 0);
  for (const char* mean : {"makespan", "mean_response", "p99_response", "utilisation", "executions",
                           "mean_queueing", "self_assigned", "probe_hops", "advert_age"})
    CHECK_FALSE(applies(outcome, mean));
}

TEST_CASE("metrics of trees, overlays and lines apply to no run that has none") {
  const Outcome outcome = busy_outcome();
  for (const char* name : {"mean_depth", "height", "speed_depth_correlation", "root_children_speed",
                           "leaders_on_top", "clustering", "dead_links", "cycles_to_order",
                           "uplink_busy_top1", "queueing_delay_mean", "queueing_delay_max"})
    CHECK_FALSE(applies(outcome, name));
}

}  // namespace rhizome::scenarios::metrics_test
