// Checks whether a stranger's values can occur in any run: the least that must be checked in a
// message before a number in it is used as an address, a size or a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "agents/file_options.hpp"
#include "agents/resources.hpp"
#include "agents/task.hpp"
#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// Longer than anything that a scenario can ask for, and so short that sums of a few times stay
// within their range.
inline constexpr core::Duration longest_time = std::chrono::hours(1'100'000);

// A scenario cannot declare more bytes, and sums of many such numbers stay within their range.
inline constexpr std::uint64_t most_declared_bytes = std::uint64_t{1} << 53U;

// A task that some peer could carry. Its recipe is checked where it is computed.
[[nodiscard]] inline bool possible(const Task& task) {
  return task.duration >= core::Duration::zero() && task.duration <= longest_time &&
         resources_of(task).possible() && task.brings.bytes <= most_declared_bytes;
}

// Files that some peer could bring.
[[nodiscard]] inline bool possible(const core::Cargo* cargo, std::uint32_t peers) {
  if (cargo == nullptr) return true;
  return cargo->output <= files::largest_file && cargo->client.value < peers &&
         std::all_of(cargo->inputs.begin(), cargo->inputs.end(), [peers](const auto& file) {
           return file.size > 0 && file.size <= files::largest_file && file.home.value < peers;
         });
}

// Every address in it is of one of so many peers, or core::no_peer; every task is possible; every
// time is within the longest one, and every number is finite.
template <class T>
[[nodiscard]] bool possible(const T& said, std::uint32_t peers) {
  if constexpr (std::is_same_v<T, Task>) {
    return possible(said) && possible(said.recipe.cargo(), peers);
  } else if constexpr (std::is_same_v<T, core::PeerId>) {
    return said.value < peers || said == core::no_peer;
  } else if constexpr (std::is_same_v<T, core::DeclaredBytes>) {
    return said.bytes <= most_declared_bytes;
  } else if constexpr (std::is_same_v<T, core::Duration>) {
    return said <= longest_time && said >= -longest_time;
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
