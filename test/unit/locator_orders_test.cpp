// Locators in thousands of random orders of events.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "test/support/effort.hpp"
#include "test/support/locator_world.hpp"

namespace rhizome::locator_orders_test {

using agents::locator::Cleanup;
using agents::locator::Kind;
using test::LocatorWorld;
using test::LocatorWorldOptions;

namespace {

constexpr std::uint64_t orders = test::seeds(100);  // of each way

std::string words(const LocatorWorldOptions& options, std::uint64_t seed) {
  return "kind " + std::to_string(static_cast<int>(options.locator.kind)) + ", cleanup " +
         std::to_string(static_cast<int>(options.locator.cleanup)) + ", compression " +
         std::to_string(static_cast<int>(options.locator.compression)) + ", seed " +
         std::to_string(seed);
}

// Three to six peers, two to eight tasks.
void try_orders(LocatorWorldOptions options, std::uint64_t first) {
  for (std::uint64_t seed = first; seed < first + orders; ++seed) {
    options.peers = 3 + static_cast<std::uint32_t>(seed % 4);
    options.tasks = 2 + static_cast<std::uint32_t>(seed % 7);
    options.locator.inform_last_k = static_cast<std::uint32_t>(seed % 3);
    options.locator.find_first = seed % 5 == 0 ? 1 : 0;
    const std::string wrong = LocatorWorld(options, seed).run();
    REQUIRE_MESSAGE(wrong.empty(), words(options, seed) << ": " << wrong);
  }
}

constexpr auto cleanups = {Cleanup::none, Cleanup::at_start, Cleanup::by_count, Cleanup::both};
constexpr auto kinds = {Kind::forwarders, Kind::registry, Kind::ring, Kind::eager, Kind::broadcast};

}  // namespace

TEST_CASE("chains of forwarders lead to their tasks in whatever order messages come") {
  for (const Cleanup cleanup : cleanups)
    for (const bool compression : {false, true})
      try_orders({.locator = {.cleanup = cleanup, .compression = compression}}, 0);
}

TEST_CASE("no datum is lost or taken twice where messages are lost and doubled") {
  for (const Cleanup cleanup : cleanups)
    for (const bool compression : {false, true})
      try_orders(
          {.locator = {.cleanup = cleanup, .compression = compression}, .losses = 6, .copies = 6},
          1000);
}

TEST_CASE("no task and no datum is lost where peers crash") {
  for (const Cleanup cleanup : cleanups)
    try_orders({.locator = {.cleanup = cleanup}, .losses = 3, .copies = 3, .crashes = 2}, 2000);
}

TEST_CASE("every other way of finding a task brings it the same data") {
  for (const Kind kind : kinds) {
    try_orders({.locator = {.kind = kind}}, 3000);
    try_orders({.locator = {.kind = kind}, .losses = 6, .copies = 6}, 4000);
    try_orders({.locator = {.kind = kind}, .losses = 3, .copies = 3, .crashes = 2}, 5000);
  }
}

}  // namespace rhizome::locator_orders_test
