// What a machine carries, and what links to other processes take of it.
#include "core/engine/limits.hpp"

#include <doctest/doctest.h>

#include <algorithm>

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

TEST_CASE("a process that has more links than descriptors carries nobody") {
  CHECK_THROWS_AS(preflight({.peers = 1, .links = 1'000'000'000}), LimitExceeded);
  CHECK_FALSE(descriptors_for_direct({.peers = 1, .links = 1'000'000'000}));
  CHECK_NOTHROW(preflight({.peers = 1}));
}

}  // namespace rhizome::core::limits_test
