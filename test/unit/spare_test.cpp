#include "core/peer/spare.hpp"

#include <doctest/doctest.h>

#include "core/peer/flat.hpp"

namespace rhizome::spare_test {

TEST_CASE("a large container that is nearly empty gives its memory back, and keeps its elements") {
  core::FlatMap<int, int> items;
  for (int i = 0; i < 1000; ++i) items.emplace(i, 2 * i);
  const std::size_t once = items.capacity();
  while (items.size() > 3) {
    items.erase(items.begin());
    core::release_spare(items);
  }
  CHECK(items.capacity() < once / 10);
  CHECK(items.at(999) == 1998);
}

TEST_CASE("a small container keeps its memory, and so does one in use") {
  core::FlatSet<int> small;
  small.reserve(16);
  core::release_spare(small);
  CHECK(small.capacity() == 16);
  core::FlatSet<int> half;
  half.reserve(100);
  for (int i = 0; i < 50; ++i) half.insert(i);
  core::release_spare(half);
  CHECK(half.capacity() == 100);
}

}  // namespace rhizome::spare_test
