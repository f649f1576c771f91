#include "scenarios/live/rows.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::rows_test {

using namespace scenarios::live;

namespace {

std::vector<Row> all_of(const Rows& rows) {
  std::vector<Row> all;
  for (std::uint32_t i = 0; i < rows.peers(); ++i) all.push_back(rows.row(core::PeerId{i}));
  return all;
}

void change_some(Rows& rows, std::uint64_t frame, core::Rng& rng) {
  for (std::uint32_t i = 0; i < rows.peers(); ++i) {
    Row row = rows.row(core::PeerId{i});
    for (std::uint64_t& value : row)
      if (rng.chance(0.1)) value = rng.below(3) == 0 ? 0 : rng.bits();
    if (rng.chance(0.5)) rows.set(core::PeerId{i}, row, frame);
  }
}

}  // namespace

TEST_CASE("any earlier frame with the changes since gives the same as a whole frame") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    core::Rng rng = core::Rng::derive({seed}, "rows");
    Rows rows(static_cast<std::uint32_t>(1 + rng.below(9)));
    std::vector<std::vector<Row>> history{all_of(rows)};
    for (std::uint64_t frame = 1; frame < 12; ++frame) {
      change_some(rows, frame, rng);
      history.push_back(all_of(rows));
      for (std::uint64_t since = 0; since <= frame; ++since) {
        std::vector<Row> known = history[since];
        REQUIRE(apply_changes(rows.changed_after(since), known));
        CHECK(known == history[frame]);
      }
    }
    CHECK(rows.changed_after(11).empty());
  }
}

TEST_CASE("changes that no run would send are refused") {
  std::vector<Row> rows(2);
  const std::uint64_t first = 1;  // the mask of the first column
  CHECK(apply_changes(std::vector<std::uint64_t>{}, rows));
  CHECK(apply_changes(std::vector<std::uint64_t>{0, first, 7, 0, first, 8}, rows));
  CHECK(rows[1][0] == 8);
  for (const std::vector<std::uint64_t>& wrong :
       std::vector<std::vector<std::uint64_t>>{{0},
                                               {0, first},
                                               {0, 0},
                                               {2, first, 7},
                                               {~std::uint64_t{0}, first, 7},
                                               {1, first, 7, 0, first, 7},
                                               {0, std::uint64_t{1} << columns, 7},
                                               {0, 3, 7}})
    CHECK_FALSE(apply_changes(wrong, rows));
}

}  // namespace rhizome::rows_test
