// What outcomes say about access lines.
#include <doctest/doctest.h>

#include <cmath>

#include "core/peer/access.hpp"
#include "scenarios/outcome/invariants.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome {

using namespace std::chrono_literals;
using core::nobody;
using test::quiet_outcome;
using test::say;

namespace {

double metric(const scenarios::Outcome& outcome, const std::string& name) {
  return scenarios::find_metric(name)->of(outcome);
}

// Two lines in a run of 100 s: 0 sent 40 packets for 30 s, 1 received 40 for 50 s.
scenarios::Outcome outcome_with_lines() {
  scenarios::Outcome outcome = quiet_outcome(2);
  say(outcome, 100s, 0, core::uplink_used, 40, nobody, {}, 30);
  say(outcome, 100s, 0, core::uplink_waited, 3'000'000'000, nobody, {}, 60);
  say(outcome, 100s, 1, core::uplink_used, 10, nobody, {}, 1);
  say(outcome, 100s, 1, core::downlink_used, 40, nobody, {}, 50);
  say(outcome, 100s, 1, core::downlink_waited, 7'000'000'000, nobody, {}, 90);
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

TEST_CASE("without lines their figures do not apply") {
  for (const char* name :
       {"uplink_busy_top1", "downlink_busy_top1", "queueing_delay_mean", "queueing_delay_max"})
    CHECK(std::isnan(metric(test::busy_outcome(), name)));
}

TEST_CASE("what lines carried crowds no other fact out of what explains a broken invariant") {
  scenarios::Outcome outcome = quiet_outcome(2);
  say(outcome, 5s, 1, agents::facts::parent_changed, 0, core::PeerId{0}, "join");
  for (int i = 0; i < 5; ++i) say(outcome, 100s, 1, core::uplink_used, 1, nobody, {}, 1);
  outcome.peers[1].finished = false;
  const auto violations = scenarios::examine(outcome).violations;
  REQUIRE(violations.size() == 1);
  CHECK(violations.front().text.find("parent-changed") != std::string::npos);
  CHECK(violations.front().text.find("uplink") == std::string::npos);
}

}  // namespace rhizome
