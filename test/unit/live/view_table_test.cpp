#include "scenarios/live/view_table.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::view_table_test {

using core::PeerId;
using core::ViewKind;
using scenarios::live::ViewTable;

namespace {

void change_some(ViewTable& table, std::uint32_t peers, std::uint64_t frame, core::Rng& rng) {
  for (std::uint32_t i = 0; i < peers; ++i)
    for (const ViewKind kind : {ViewKind::random, ViewKind::similar}) {
      if (!rng.chance(0.4)) continue;
      std::vector<PeerId> view;
      for (std::uint32_t link = 0; link < peers; ++link)
        if (rng.chance(0.3)) view.push_back({link});
      table.set({i}, kind, view, frame);
    }
}

}  // namespace

TEST_CASE("any earlier frame with the changes since gives the current views") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    core::Rng rng = core::Rng::derive({seed}, "views");
    const auto peers = static_cast<std::uint32_t>(1 + rng.below(9));
    ViewTable table(peers);
    std::vector<ViewTable> history{table};
    for (std::uint64_t frame = 1; frame < 12; ++frame) {
      change_some(table, peers, frame, rng);
      history.push_back(table);
      for (std::uint64_t since = 0; since <= frame; ++since) {
        ViewTable known = history[since];
        REQUIRE(known.apply(table.changed_after(since), frame));
        CHECK(known == table);
      }
      ViewTable late(peers);
      REQUIRE(late.apply(table.whole(), frame));
      CHECK(late == table);
    }
    CHECK(table.changed_after(11).empty());
  }
}

TEST_CASE("a view that is as it was has not changed, and one that is empty again has") {
  ViewTable table(3);
  table.set({1}, ViewKind::random, {{0}, {2}}, 4);
  table.set({1}, ViewKind::random, {{0}, {2}}, 5);
  CHECK(table.changed_after(4).empty());
  CHECK(table.changed_after(3) == std::vector<std::uint64_t>{2, 2, 0, 1});
  table.set({1}, ViewKind::random, {}, 6);
  CHECK(table.changed_after(5) == std::vector<std::uint64_t>{2, 0});
  CHECK(table.whole().empty());
}

TEST_CASE("the in-degree of a peer counts all views of that overlay") {
  ViewTable table(3);
  table.set({0}, ViewKind::random, {{1}, {2}}, 1);
  table.set({2}, ViewKind::random, {{1}}, 1);
  table.set({2}, ViewKind::similar, {{0}}, 1);
  CHECK(table.in_degree({1}, ViewKind::random) == 2);
  CHECK(table.in_degree({2}, ViewKind::random) == 1);
  CHECK(table.in_degree({0}, ViewKind::random) == 0);
  CHECK(table.in_degree({0}, ViewKind::similar) == 1);
}

TEST_CASE("views that no run would send are refused") {
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  ViewTable table(2);
  CHECK(table.apply({}, 1));
  CHECK(table.apply(std::vector<std::uint64_t>{3, 2, 0, 0}, 1));
  CHECK(table.of({1}, ViewKind::similar) == std::vector<PeerId>{{0}, {1}});
  for (const std::vector<std::uint64_t>& wrong :
       std::vector<std::vector<std::uint64_t>>{{0},
                                               {4, 0},
                                               {huge, 0},
                                               {3, 0, 0, 0},
                                               {0, 1},
                                               {0, huge},
                                               {0, 1, 2},
                                               {0, 1, huge},
                                               {0, 2, 1, 0},
                                               {0, 3, 0, 0, 0},
                                               {0, 2, 0, huge}})
    CHECK_FALSE(table.apply(wrong, 1));
}

}  // namespace rhizome::view_table_test
