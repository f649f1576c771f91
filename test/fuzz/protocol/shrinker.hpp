// Makes a failing scenario smaller while it fails in the same way.
#pragma once

#include <functional>
#include <string>

#include "test/fuzz/protocol/draft.hpp"

namespace rhizome::fuzz {

struct Shrinking {
  Draft draft;           // as small as it was found
  std::size_t runs = 0;  // runs needed to shrink it
};

// `fails` tells whether a scenario still has the same failure. Removes tables, then keys, then
// peers, jobs and portions, and tries other seeds of the run; ends when nothing helps or after
// `most` runs.
[[nodiscard]] Shrinking shrink(Draft draft, const std::function<bool(const Draft&)>& fails,
                               std::size_t most);

}  // namespace rhizome::fuzz
