// The times at which an unanswered message is repeated.
#include "agents/backoff.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace rhizome::backoff_test {

using namespace std::chrono_literals;
using agents::Backoff;

TEST_CASE("waits double with each repetition, as often as they may") {
  const Backoff backoff(2s, 3);
  std::vector<core::Duration> waits;
  for (std::uint32_t i = 0; i < 6; ++i) waits.push_back(backoff.wait(i));
  CHECK(waits == std::vector<core::Duration>{2s, 4s, 8s, 16s, 16s, 16s});
}

TEST_CASE("a wait follows how long answers took, and how much that varied") {
  Backoff backoff(2s);
  backoff.answered(100ms);
  CHECK(backoff.wait(0) == 2s);  // as on any fast network
  Backoff slow(2s);
  slow.answered(8s);
  CHECK(slow.wait(0) == 24s);  // the mean, and four times its half
  slow.answered(8s);
  CHECK(slow.wait(0) == 20s);
  slow.answered(16s);  // deviations of 3 s and 8 s
  CHECK(slow.wait(0) == 9s + 4 * 4250ms);
  CHECK(slow.wait(1) == 2 * slow.wait(0));
}

TEST_CASE("no wait is longer than the clock of a run can count") {
  Backoff backoff(1h, 60);
  backoff.answered(1'000'000h);
  CHECK(backoff.wait(60) > 1000h);
  CHECK(backoff.wait(60) == backoff.wait(59));
}

TEST_CASE("messages that share a timer repeat in rounds whose gaps double up to eight") {
  std::vector<std::uint32_t> rounds;
  for (std::uint32_t round = 1; round <= 24; ++round)
    if (agents::repeats_in_round(round)) rounds.push_back(round);
  CHECK(rounds == std::vector<std::uint32_t>{1, 2, 4, 8, 16, 24});
}

}  // namespace rhizome::backoff_test
