#include "core/engine/agenda.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::agenda_test {

using core::Agenda;
using core::Duration;
using core::Time;

namespace {
Time at(std::int64_t nanoseconds) { return Time(Duration(nanoseconds)); }
}  // namespace

TEST_CASE("an agenda gives items by time and equal times by insertion") {
  Agenda<int> agenda;
  agenda.push(at(20), 1);
  agenda.push(at(10), 2);
  agenda.push(at(20), 3);
  agenda.push(at(10), 4);
  std::vector<int> order;
  while (!agenda.empty()) order.push_back(agenda.pop());
  CHECK(order == std::vector<int>{2, 4, 1, 3});
}

TEST_CASE("an item for the present instant comes after those already due then") {
  Agenda<int> agenda;
  agenda.push(at(10), 1);
  agenda.push(at(10), 2);
  CHECK(agenda.pop() == 1);
  agenda.push(at(10), 3);
  agenda.push(at(5), 4);
  CHECK(agenda.pop() == 2);
  CHECK(agenda.pop() == 3);
  CHECK(agenda.pop() == 4);
}

TEST_CASE("an agenda agrees with a stable sort on random pushes and pops") {
  core::Rng rng(3);
  Agenda<std::pair<Time, int>> agenda;
  Time present{};
  std::vector<std::pair<Time, int>> waiting;
  for (int i = 0; i < 20'000; ++i) {
    if (waiting.empty() || rng.chance(0.55)) {
      const Time due = present + Duration(rng.below(std::uint64_t{1} << rng.below(40)));
      agenda.push(due, {due, i});
      waiting.emplace_back(due, i);
      continue;
    }
    const auto expected = std::min_element(waiting.begin(), waiting.end());
    REQUIRE(agenda.next_due() == expected->first);
    REQUIRE(agenda.pop() == *expected);
    present = expected->first;
    waiting.erase(expected);
  }
  CHECK(agenda.size() == waiting.size());
}

TEST_CASE("an agenda foretells items that are still to come, and few are missed") {
  core::Rng rng(4);
  Agenda<int> agenda;
  constexpr int items = 2000;
  for (int i = 0; i < items; ++i) agenda.push(at(rng.between(1, i % 2 == 0 ? 50 : 100'000)), i);
  std::vector<bool> handled(items);
  std::vector<bool> foretold(items);
  std::size_t told = 0;
  while (!agenda.empty()) {
    const int item = agenda.pop([&](int coming, auto) {
      CHECK_FALSE(handled[static_cast<std::size_t>(coming)]);
      foretold[static_cast<std::size_t>(coming)] = true;
    });
    handled[static_cast<std::size_t>(item)] = true;
    told += foretold[static_cast<std::size_t>(item)] ? 1 : 0;
  }
  CHECK(told > items * 9 / 10);
}

}  // namespace rhizome::agenda_test
