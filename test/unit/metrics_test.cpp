#include "scenarios/outcome/metrics.hpp"

#include <doctest/doctest.h>

#include <set>

#include "test/support/outcomes.hpp"

namespace rhizome::scenarios {

using namespace std::chrono_literals;
using test::at;
using test::busy_outcome;

namespace {

double value(const Outcome& outcome, const std::string& name) {
  const Metric* metric = find_metric(name);
  REQUIRE_MESSAGE(metric != nullptr, name);
  return metric->of(outcome);
}

}  // namespace

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

TEST_CASE("messages are totals of what was sent, by class, in messages, bytes and portions") {
  const Outcome outcome = busy_outcome();
  CHECK(value(outcome, "job_messages") == 4);
  CHECK(value(outcome, "result_messages") == 4);
  CHECK(value(outcome, "information_messages") == 0);
  CHECK(value(outcome, "job_bytes") == 400);
  CHECK(value(outcome, "result_bytes") == 200);
  CHECK(value(outcome, "job_portions") == 4);
}

TEST_CASE("the burden of a peer is what it sent and received, and peers rank by it") {
  Outcome outcome = busy_outcome();
  outcome.peers[2].burdens[0].received += {5, 500, 50};
  CHECK(value(outcome, "job_messages_top1") == 7);
  CHECK(value(outcome, "job_messages_top2") == 4);
  CHECK(value(outcome, "job_messages_top3") == 2);
  CHECK(value(outcome, "job_portions_top1") == 52);
  CHECK(value(outcome, "job_bytes_top3") == 200);
  outcome.peers.resize(2);
  CHECK(value(outcome, "job_messages_top3") == 0);
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

TEST_CASE("what never completed has no part in times but is missing from the count") {
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

TEST_CASE("a run in which nothing happened has metrics all the same") {
  const Outcome outcome;
  for (const Metric& metric : metrics()) {
    CAPTURE(metric.name);
    CHECK(metric.of(outcome) == 0);
  }
}

}  // namespace rhizome::scenarios
