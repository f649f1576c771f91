// Needs between the tasks of served jobs.
#include <doctest/doctest.h>

#include "tools/serve/task_needs.hpp"

namespace rhizome::serve_needs_test {

using tools::needs_in;
using tools::task_on_cycle;
using tools::TaskNeeds;
using tools::text_of;

TEST_CASE("needs are kept as text") {
  const TaskNeeds needs{{1, 0}, {2, 0}, {4'000'000'000, 7}};
  CHECK(text_of(needs) == "1:0 2:0 4000000000:7");
  CHECK(needs_in(text_of(needs)) == needs);
  CHECK(needs_in("").empty());
  CHECK(needs_in("1:0 x").size() == 1);
}

TEST_CASE("tasks that need each other are found") {
  CHECK_FALSE(task_on_cycle({}, 3));
  CHECK_FALSE(task_on_cycle({{1, 0}, {2, 0}, {3, 1}, {3, 2}}, 4));
  CHECK(task_on_cycle({{0, 0}}, 1) == 0);
  CHECK(task_on_cycle({{1, 2}, {2, 3}, {3, 1}}, 4) == 1);
}

}  // namespace rhizome::serve_needs_test
