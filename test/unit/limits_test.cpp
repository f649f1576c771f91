// The capacity of a machine, and the part of it that links to other processes need.
#include "core/engine/limits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include "core/engine/memory_watch.hpp"

namespace rhizome::core::limits_test {

TEST_CASE("each link to another process takes six descriptors from the peers") {
  const auto by_files = [](std::uint32_t links) {
    const auto limits = machine_limits(links);
    return std::find_if(limits.begin(), limits.end(),
                        [](const Limit& each) { return each.name.starts_with("open files"); })
        ->peers;
  };
  raise_limits();
  REQUIRE(by_files(10) > 0);
  CHECK(by_files(0) == by_files(10) + 60);
}

TEST_CASE("a process that would need more links than descriptors is refused") {
  CHECK_THROWS_AS(preflight({.peers = 1, .links = 1'000'000'000}), LimitExceeded);
  CHECK_FALSE(descriptors_for_direct({.peers = 1, .links = 1'000'000'000}));
  CHECK_NOTHROW(preflight({.peers = 1}));
}

TEST_CASE("the memory that a process has is within its limit") {
  const MemoryRoom room = memory_room();
  CHECK(room.taken > 0);
  CHECK(room.taken < room.bytes);
}

namespace {

// A machine with 160 GiB, checked at given milliseconds.
struct Memory {
  MemoryWatch watch;
  void holds(std::uint64_t gibibytes, int milliseconds) {
    watch.look({"the memory left to it", std::uint64_t{160} << 30U, gibibytes << 30U},
               MemoryWatch::RealTime(std::chrono::milliseconds(milliseconds)));
  }
};

}  // namespace

TEST_CASE("memory runs out when all but a sixteenth of it is taken") {
  Memory memory;
  for (int second = 0; second <= 12; ++second)
    CHECK_NOTHROW(memory.holds(static_cast<std::uint64_t>(120 + 2 * second), 1000 * second));
  CHECK_NOTHROW(memory.holds(100, 13000));
  CHECK_THROWS_WITH_AS(
      memory.holds(151, 15000),
      "memory runs out: this process has 151 GiB, and the memory left to it is "
      "160 GiB; messages pile up where peers cannot keep up: use fewer peers, or a "
      "lower engine.time_scale",
      LimitExceeded);
  CHECK_THROWS_AS(Memory{}.holds(151, 0), LimitExceeded);
}

TEST_CASE(
    "memory runs out when at its pace two seconds more would take it, and a quarter is left") {
  Memory fast;
  CHECK_NOTHROW(fast.holds(10, 0));
  CHECK_NOTHROW(fast.holds(115, 500));   // much, but there is much left
  CHECK_NOTHROW(fast.holds(125, 1400));  // 10 more within a second
  CHECK_THROWS_AS(fast.holds(135, 1450), LimitExceeded);

  Memory starved;  // the observer had no turn for three seconds
  CHECK_NOTHROW(starved.holds(90, 0));
  CHECK_THROWS_AS(starved.holds(125, 3000), LimitExceeded);
}

}  // namespace rhizome::core::limits_test
