// Whether what a stranger says can be true in any run: the least that has to be asked of a message
// before a number in it becomes an address, a size or a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "agents/task.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// No run takes longer, so that sums of times stay within their range.
inline constexpr core::Duration a_century = std::chrono::hours(24 * 365 * 100);

// A task that some peer could carry.
[[nodiscard]] inline bool possible(const Task& task) {
  return task.duration >= core::Duration::zero() && task.duration <= a_century && task.cpus > 0 &&
         std::isfinite(task.memory) && task.memory >= 0;
}

// Every address in it is of one of so many peers, or nobody; every task is possible; times are
// within a century and numbers finite.
template <class T>
[[nodiscard]] bool possible(const T& said, std::uint32_t peers) {
  if constexpr (std::is_same_v<T, Task>) {
    return possible(said);
  } else if constexpr (std::is_same_v<T, core::PeerId>) {
    return said.value < peers || said == core::nobody;
  } else if constexpr (std::is_same_v<T, core::Duration>) {
    return said <= a_century && said >= -a_century;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(said);
  } else if constexpr (requires { said.begin(); }) {
    return std::all_of(said.begin(), said.end(),
                       [peers](const auto& item) { return possible(item, peers); });
  } else if constexpr (std::is_aggregate_v<T>) {
    return core::with_fields(
        said, [peers](const auto&... field) { return (possible(field, peers) && ...); });
  } else {
    return true;
  }
}

}  // namespace rhizome::agents
