#include "scenarios/outcome/responses.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/peer/rng.hpp"
#include "test/support/metric_values.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::response_metrics_test {

using namespace std::chrono_literals;
using core::PeerId;
using core::Time;
using scenarios::JobOutcome;
using scenarios::Outcome;
using scenarios::PeerOutcome;
using scenarios::warm_up_of;
using test::value;

TEST_CASE("MSER-5 cuts everything before the steady state, in batches of five") {
  core::Rng rng(4);
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(100 - i + rng.normal());
  for (int i = 0; i < 900; ++i) values.push_back(rng.normal());
  const std::size_t cut = warm_up_of(values);
  CHECK(cut % 5 == 0);
  CHECK(cut >= 90);
  CHECK(cut <= 115);
  CHECK(scenarios::steady_of(values).size() == 1000 - cut);
}

// By the definition, over all possible cuts.
TEST_CASE("the cut of MSER-5 is the one with the least squared standard error") {
  core::Rng rng(5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 103; ++i) values.push_back(rng.exponential(1) + (i < 20 ? 1 : 0));
    std::vector<double> means;
    for (std::size_t b = 0; b + 5 <= values.size(); b += 5) {
      double sum = 0;
      for (std::size_t i = b; i < b + 5; ++i) sum += values[i];
      means.push_back(sum / 5);
    }
    std::size_t best = 0;
    double least = INFINITY;
    for (std::size_t d = 0; d <= means.size() / 2; ++d) {
      const auto left = static_cast<double>(means.size() - d);
      double mean = 0;
      for (std::size_t i = d; i < means.size(); ++i) mean += means[i] / left;
      double squares = 0;
      for (std::size_t i = d; i < means.size(); ++i)
        squares += (means[i] - mean) * (means[i] - mean);
      if (squares / (left * left) < least) {
        least = squares / (left * left);
        best = d;
      }
    }
    CHECK(warm_up_of(values) == 5 * best);
  }
}

TEST_CASE("nothing is cut of a steady series, nor of a short one") {
  CHECK(warm_up_of(std::vector<double>(100, 3.0)) == 0);
  std::vector<double> few(19, 1.0);
  few[0] = 1000;
  CHECK(warm_up_of(few) == 0);
}

TEST_CASE("steady metrics leave the warm-up out, by order of arrival, and all others do not") {
  Outcome outcome;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const auto arrived = Time(std::chrono::seconds(200 - i));
    const bool early = i >= 180;  // it arrived among the first twenty
    outcome.jobs.push_back({.id = i,
                            .arrived = arrived,
                            .completed_at = arrived + (early ? 90s : 2s),
                            .completed = true,
                            .portions = 1,
                            .work = 1s,
                            .longest = 1s});
  }
  CHECK(value(outcome, "warm_up") == 20);
  CHECK(value(outcome, "steady_response") == 2);
  CHECK(value(outcome, "steady_stretch") == 2);
  CHECK(value(outcome, "mean_response") == doctest::Approx(10.8));
  CHECK(value(outcome, "median_response") == 2);
  CHECK(value(outcome, "p99_stretch") == 90);
}

TEST_CASE("servers are told from peers that only pass tasks on, and their spread is measured") {
  Outcome outcome;
  for (std::uint32_t i = 0; i < 3; ++i)
    outcome.peers.push_back(
        {.id = PeerId{i}, .slots = 1, .busy = std::chrono::seconds(4 * i), .burdens = {}});
  outcome.tasks.push_back(
      {.id = {0, 0}, .submitted = true, .completed = true, .completed_at = Time(10s)});
  test::say(outcome, 0s, 0, agents::TaskSubmitted{{0, 0}, 1s});
  test::say(outcome, 0s, 2, agents::TaskStarted{{0, 0}});
  CHECK(value(outcome, "server_utilisation") == doctest::Approx(0.6));
  CHECK(value(outcome, "server_utilisation_min") == doctest::Approx(0.4));
  CHECK(value(outcome, "server_utilisation_max") == doctest::Approx(0.8));
  CHECK(value(outcome, "server_utilisation_sd") == doctest::Approx(0.2));
  test::say(outcome, 1s, 0, agents::TaskStarted{{0, 0}});
  CHECK(value(outcome, "server_utilisation_min") == 0);
}

TEST_CASE("messages about state are probes and requests that carry no task") {
  Outcome outcome;
  outcome.tasks.resize(2);
  const auto row = [](core::MessageClass message_class, core::Cause cause) {
    return core::BurdenRow{
        .message_class = message_class, .cause = cause, .sent = {3, 9, 3}, .received = {}};
  };
  using core::Cause;
  using core::MessageClass;
  outcome.peers.push_back({.id = PeerId{0},
                           .burdens = {row(MessageClass::information, Cause::probe),
                                       row(MessageClass::information, Cause::request),
                                       row(MessageClass::information, Cause::heartbeat),
                                       row(MessageClass::job, Cause::probe)}});
  CHECK(value(outcome, "state_messages") == 3);
}

}  // namespace rhizome::response_metrics_test
