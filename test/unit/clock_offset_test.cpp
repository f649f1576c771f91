// Whatever the path does, the interval that pings leave holds the true offset of the clocks.
#include <doctest/doctest.h>

#include <cmath>

#include "core/mesh/clock_offset.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::core::clock_offset_test {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

// Two clocks, of which the one here is ahead, and a path that takes its time.
struct Clocks {
  nanoseconds ahead{0};
  double drift = 0;  // of the clock here, a share of the time
  nanoseconds now{1h};

  [[nodiscard]] ClockTime here() const {
    return now + ahead +
           nanoseconds(static_cast<std::int64_t>(drift * static_cast<double>(now.count())));
  }
  [[nodiscard]] PingTimes ping(nanoseconds to, nanoseconds back) {
    PingTimes times{.sent = here()};
    now += to;
    times.received = now;
    now += 2us;
    times.answered = now;
    now += back;
    times.came = here();
    return times;
  }
  [[nodiscard]] nanoseconds truth() const { return here() - now; }
};

void check_holds(const ClockOffset& offset, const Clocks& clocks) {
  CHECK(std::abs((offset.offset() - clocks.truth()).count()) <= offset.bound().count());
}

nanoseconds jitter(Rng& rng, nanoseconds least, nanoseconds mean) {
  const double drawn = -std::log(1 - rng.unit());
  return least + nanoseconds(static_cast<std::int64_t>(drawn * static_cast<double>(mean.count())));
}

}  // namespace

TEST_CASE("the best round trip is the shortest, without the time of its answer") {
  ClockOffset clock;
  clock.add({.sent = 0us, .received = 30us, .answered = 50us, .came = 100us});
  CHECK(clock.best_round_trip() == 80us);
  clock.add({.sent = 200us, .received = 220us, .answered = 1220us, .came = 1240us});
  CHECK(clock.best_round_trip() == 40us);
  clock.add({.sent = 2000us, .received = 2020us, .answered = 2020us, .came = 2100us});
  CHECK(clock.best_round_trip() == 40us);
}

TEST_CASE("one ping bounds the offset by half its round trip") {
  Clocks clocks{.ahead = 5000s};
  ClockOffset offset;
  offset.add(clocks.ping(1ms, 1ms));
  CHECK(offset.offset() == clocks.truth());
  CHECK(offset.bound() == 1ms);
  CHECK(offset.samples() == 1);
}

TEST_CASE("between samples the bound grows by the drift of clocks") {
  Clocks clocks{.ahead = 5000s};
  ClockOffset offset;
  CHECK(offset.bound(1h) == 0ns);
  const PingTimes ping = clocks.ping(1ms, 1ms);
  offset.add(ping);
  CHECK(offset.bound(ping.came + 10s) == 1ms + 500us + 1ns);
}

TEST_CASE("a path that takes longer one way is not noticed, and stays within the bound") {
  for (const auto& [to, back] : {std::pair{1ms, 5ms}, std::pair{5ms, 1ms}}) {
    Clocks clocks{.ahead = -300s};
    ClockOffset offset;
    for (int i = 0; i < 64; ++i) offset.add(clocks.ping(to, back));
    CHECK(std::abs((offset.offset() - clocks.truth()).count()) ==
          doctest::Approx(nanoseconds(2ms).count()).epsilon(0.01));
    check_holds(offset, clocks);
  }
}

TEST_CASE("the best pings of either direction count, if many waited") {
  Rng rng = Rng::derive({1}, "paths");
  for (int path = 0; path < 200; ++path) {
    Clocks clocks{.ahead = nanoseconds(rng.between(-1'000'000'000, 1'000'000'000))};
    ClockOffset offset;
    for (int i = 0; i < 64; ++i) {
      offset.add(clocks.ping(jitter(rng, 5ms, 1ms), jitter(rng, 5ms, 1ms)));
      clocks.now += 3ms;
      check_holds(offset, clocks);
    }
    CHECK(offset.bound() < 5500us);
    CHECK(std::abs((offset.offset() - clocks.truth()).count()) < nanoseconds(400us).count());
  }
}

TEST_CASE("clocks that drift apart are followed") {
  Rng rng = Rng::derive({2}, "paths");
  for (const double drift : {-40e-6, 40e-6}) {
    Clocks clocks{.ahead = 10s, .drift = drift};
    ClockOffset offset;
    for (int i = 0; i < 5000; ++i) {
      offset.add(clocks.ping(jitter(rng, 50us, 20us), jitter(rng, 50us, 20us)));
      clocks.now += 200ms;
      check_holds(offset, clocks);
    }
    CHECK(offset.bound() < 200us);
  }
}

TEST_CASE("a clock that was set begins anew") {
  Clocks clocks{.ahead = 1s};
  ClockOffset offset;
  for (int i = 0; i < 10; ++i) offset.add(clocks.ping(1ms, 1ms));
  clocks.ahead = 2s;
  offset.add(clocks.ping(1ms, 1ms));
  check_holds(offset, clocks);
  CHECK(offset.bound() == 1ms);
}

}  // namespace rhizome::core::clock_offset_test
