// Metrics of outcomes about access lines.
#include <doctest/doctest.h>

#include <cmath>

#include "core/peer/access.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome::network_metrics_test {

using namespace std::chrono_literals;
using test::quiet_outcome;

namespace {

double metric(const scenarios::Outcome& outcome, const std::string& name) {
  return scenarios::find_metric(name)->of(outcome);
}

// Two lines in a run of 100 s: 0 sent 40 packets for 30 s, 1 received 40 for 50 s.
scenarios::Outcome outcome_with_lines() {
  scenarios::Outcome outcome = quiet_outcome(2);
  outcome.peers[0].line = {.up = {.packets = 40, .busy = 30s, .waited = 60s, .longest = 3s},
                           .down = {}};
  outcome.peers[1].line = {.up = {.packets = 10, .busy = 1s},
                           .down = {.packets = 40, .busy = 50s, .waited = 90s, .longest = 7s}};
  return outcome;
}

}  // namespace

TEST_CASE("the busiest lines and the waits at them become figures") {
  const scenarios::Outcome outcome = outcome_with_lines();
  CHECK(metric(outcome, "uplink_busy_top1") == doctest::Approx(0.3));
  CHECK(metric(outcome, "downlink_busy_top1") == doctest::Approx(0.5));
  CHECK(metric(outcome, "queueing_delay_mean") == doctest::Approx(150.0 / 50));
  CHECK(metric(outcome, "queueing_delay_max") == doctest::Approx(7));
}

TEST_CASE("the waits of peers are added up without overflow") {
  scenarios::Outcome outcome = quiet_outcome(3);
  for (scenarios::PeerOutcome& peer : outcome.peers)
    peer.line = {.up = {.packets = 1, .waited = std::chrono::hours(1'000'000)}, .down = {}};
  CHECK(metric(outcome, "queueing_delay_mean") == doctest::Approx(3.6e9));
}

TEST_CASE("without lines their figures do not apply") {
  for (const char* name :
       {"uplink_busy_top1", "downlink_busy_top1", "queueing_delay_mean", "queueing_delay_max"})
    CHECK(std::isnan(metric(test::busy_outcome(), name)));
}

}  // namespace rhizome::network_metrics_test
