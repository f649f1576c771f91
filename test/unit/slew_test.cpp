// A corrected clock never goes back, and comes to where it should, as fast as it may.
#include "core/engine/wall_clock.hpp"

#include <doctest/doctest.h>

#include "core/peer/rng.hpp"

namespace rhizome::core::slew_test {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

const Slew::RealTime zero{1000s};

}  // namespace

TEST_CASE("nothing is corrected before it is asked for, or before it begins") {
  Slew slew;
  CHECK(slew.at(zero) == 0ns);
  slew.aim(zero, 1ms);
  CHECK(slew.at(zero + Slew::ahead) == 0ns);
  CHECK(slew.at(zero + Slew::ahead - 1ns) == 0ns);
}

TEST_CASE("a correction comes about at 200 us a second, either way, and then stays") {
  for (const nanoseconds correction : {1ms, -1ms}) {
    Slew slew;
    slew.aim(zero, correction);
    CHECK(slew.at(zero + Slew::ahead + 1s) == correction / 5);
    CHECK(slew.at(zero + Slew::ahead + 4s) == correction * 4 / 5);
    CHECK(slew.at(zero + Slew::ahead + 5s) == correction);
    CHECK(slew.at(zero + 1h) == correction);
  }
}

TEST_CASE("a new aim begins where the former one has come to") {
  Slew slew;
  slew.aim(zero, 1ms);
  slew.aim(zero + 1s, -1ms);
  CHECK(slew.at(zero + Slew::ahead + 500ms) == 100us);
  CHECK(slew.at(zero + Slew::ahead + 1s) == 200us);
  CHECK(slew.at(zero + Slew::ahead + 2s) == 0us);
  CHECK(slew.at(zero + 1h) == -1ms);
}

TEST_CASE("a request before the last has begun is ignored, and may be repeated") {
  Slew slew;
  slew.aim(zero, 1ms);
  slew.aim(zero + Slew::ahead - 1ns, -1ms);
  CHECK(slew.at(zero + 1h) == 1ms);
  slew.aim(zero + Slew::ahead, -1ms);
  CHECK(slew.at(zero + 1h) == -1ms);
}

TEST_CASE("whatever is asked for, the corrected clock goes on") {
  Rng rng = Rng::derive({1}, "slew");
  Slew slew;
  nanoseconds last = -1ns;
  for (nanoseconds now{0}; now < 20s; now += nanoseconds(rng.between(1, 2'000'000))) {
    if (rng.chance(0.05)) slew.aim(zero + now, nanoseconds(rng.between(-3'000'000, 3'000'000)));
    const nanoseconds corrected = now - slew.at(zero + now);
    CHECK(corrected > last);
    CHECK(std::chrono::abs(corrected - now) <= 3ms);
    last = corrected - 1ns;  // minus a nanosecond of rounding
  }
}

}  // namespace rhizome::core::slew_test
