#include "core/engine/fact_tap.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/engine/board.hpp"
#include "test/support/protocols.hpp"

namespace rhizome::core::fact_tap_test {

namespace {

using namespace std::chrono_literals;

void note(FactTap& tap, std::uint32_t number) {
  Bytes payload;
  encode(test::Got{number, PeerId{7}}, payload);
  tap.put(PeerId{3}, Incarnation{1}, Time{} + number * 1ms, {&test::Got::info, payload});
}

std::vector<std::uint32_t> take(FactTap& tap) {
  std::vector<std::uint32_t> numbers;
  const std::size_t count = tap.take([&](const TappedFact& tapped) {
    CHECK(tapped.peer == PeerId{3});
    CHECK(tapped.life == Incarnation{1});
    CHECK(tapped.info == &test::Got::info);
    test::Got got;
    REQUIRE(decode(tapped.fact().payload, got) == DecodeError::none);
    CHECK(tapped.at == Time{} + got.number * 1ms);
    numbers.push_back(got.number);
  });
  CHECK(count == numbers.size());
  return numbers;
}

}  // namespace

TEST_CASE("a tap gives facts as they were noted, round after round of its ring") {
  FactTap tap(4);
  CHECK(take(tap).empty());
  for (std::uint32_t i = 0; i < 30; i += 3) {
    for (std::uint32_t j = i; j < i + 3; ++j) note(tap, j);
    CHECK(take(tap) == std::vector<std::uint32_t>{i, i + 1, i + 2});
  }
  CHECK(tap.lost() == 0);
}

TEST_CASE("a full tap loses what comes, counts it, and goes on once it has been read") {
  for (const std::size_t facts : {0, 1, 2}) {
    CAPTURE(facts);
    FactTap tap(facts);
    for (std::uint32_t i = 0; i < 9; ++i) note(tap, i);
    CHECK(tap.lost() == 7);
    CHECK(take(tap) == std::vector<std::uint32_t>{0, 1});
    note(tap, 9);
    CHECK(take(tap) == std::vector<std::uint32_t>{9});
    CHECK(tap.lost() == 7);
  }
}

TEST_CASE("a tally counts what a tap has lost, type by type") {
  Board board(2, {.facts = 2});
  for (int i = 0; i < 5; ++i) board.note(PeerId{1}, {}, {}, {&test::Came::info, {}});
  board.note(PeerId{0}, {}, {}, {&test::Went::info, {}});
  CHECK(board.tally().count(test::Came::info) == 5);
  CHECK(board.tally().count(test::Went::info) == 1);
  CHECK(board.tally().count(test::Got::info) == 0);
  CHECK(board.gauges(PeerId{1}).facts.get() == 5);
  CHECK(board.tap().lost() == 4);
}

TEST_CASE("a tally with no more rows still counts, but does not say of what") {
  static const std::vector<FactInfo> types(FactTally::most + 3);
  FactTally tally;
  for (const FactInfo& type : types) tally.add(&type);
  std::size_t rows = 0;
  tally.for_each([&](const FactInfo&, std::uint64_t count) { rows += count; });
  CHECK(rows == FactTally::most);
  CHECK(tally.others() == 3);
}

TEST_CASE("late is what takes longer than the tolerance, very late what takes four times that") {
  Punctuality strict;
  for (const Duration lag : {5ms, 6ms, 20ms, 21ms}) strict.add(lag, 5ms);
  CHECK(strict.seen.get() == 4);
  CHECK(strict.late.get() == 3);
  CHECK(strict.very_late.get() == 1);
  Punctuality careless;
  careless.add(1h, 0ms);
  CHECK(careless.seen.get() == 1);
  CHECK(careless.late.get() == 0);
}

}  // namespace rhizome::core::fact_tap_test
