#include "core/peer/vitals.hpp"

#include <doctest/doctest.h>

#include <chrono>

namespace rhizome::vitals_test {

using namespace std::chrono_literals;

TEST_CASE("an event is late beyond the tolerance, and very late beyond four times that") {
  core::Punctuality strict;
  for (const core::Duration lag : {5ms, 6ms, 20ms, 21ms}) strict.add(lag, 5ms);
  CHECK(strict.seen.get() == 4);
  CHECK(strict.late.get() == 3);
  CHECK(strict.very_late.get() == 1);
  core::Punctuality careless;
  careless.add(1h, 0ms);
  CHECK(careless.seen.get() == 1);
  CHECK(careless.late.get() == 0);
}

TEST_CASE("the presence of a peer is read as it was written") {
  core::Vitals vitals;
  CHECK(vitals.presence() == core::Vitals::Presence{});
  for (const bool alive : {false, true})
    for (const bool finished : {false, true}) {
      const core::Vitals::Presence told{.life = {~0U}, .alive = alive, .finished = finished};
      vitals.is(told);
      CHECK(vitals.presence() == told);
    }
}

TEST_CASE("a number too large for a gauge is refused") {
  core::Bytes bytes;
  core::encode(std::uint64_t{1} << 32U, bytes);
  core::Count32 small;
  CHECK(core::decode(bytes, small) == core::DecodeError::mismatched);
  core::Count large;
  CHECK(core::decode(bytes, large) == core::DecodeError::none);
  CHECK(large.get() == std::uint64_t{1} << 32U);
}

}  // namespace rhizome::vitals_test
