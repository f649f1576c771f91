// Which walks of the Sparrow family have come by, and how far they have come.
#include "agents/sparrow/walks.hpp"

#include <doctest/doctest.h>

namespace rhizome::sparrow_walks_test {

using namespace std::chrono_literals;
using namespace agents::sparrow;

namespace {

constexpr core::PeerId from{1};
constexpr core::PeerId master{2};

Options limited(std::uint32_t hops) {
  Options options;
  options.hop_limit = hops;
  return options;
}

}  // namespace

TEST_CASE("a step says how many hops were made, whichever walk it is of") {
  const Walks walks(limited(3), 0s);
  for (const std::uint64_t number : {0U, 1U, 7U}) {
    Step step = walks.first(number);
    for (std::uint64_t hops = 0; hops < 3; ++hops) {
      CHECK(walks.hops(step) == hops);
      CHECK(walks.may_go_on(step));
      ++step.value;
    }
    CHECK(walks.hops(step) == 3);
    CHECK_FALSE(walks.may_go_on(step));
  }
}

TEST_CASE("a visit is remembered as long as copies of its packet may come") {
  Walks walks({}, 1s);  // and 2 s until a task is probed for once more
  const Visit visit{7, 1, master, from};
  CHECK(walks.is_new(visit, core::Time(0s)));
  CHECK_FALSE(walks.is_new(visit, core::Time(3s)));
  CHECK(walks.is_new(visit, core::Time(3001ms)));
}

TEST_CASE("however many walks come by, a thousand and some are remembered") {
  Walks walks({}, 1s);
  const core::Time now(0s);
  constexpr std::uint64_t many = 1024;
  for (std::uint64_t step = 0; step < many; ++step)
    CHECK(walks.is_new({7, step, master, from}, now));
  CHECK_FALSE(walks.is_new({7, 0, master, from}, now));
  CHECK(walks.is_new({7, many, master, from}, now));
  CHECK(walks.is_new({7, 0, master, from}, now));
  CHECK_FALSE(walks.is_new({7, many, master, from}, now));
}

}  // namespace rhizome::sparrow_walks_test
