// Whether a history of one register is linearizable: whether each operation can have taken effect
// at one moment between its call and its return, so that every read returns the value that was
// written last. The search of Wing and Gong (J. Parallel and Distributed Computing 17, 1993) with
// the memory of Lowe (Concurrency and Computation 29, 2017): each pair of a set of done operations
// and a value is tried once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/peer/time.hpp"

namespace rhizome::agents::program {

struct RegisterCall {
  enum class Kind : std::uint8_t { read, write, swap, last = swap };
  Kind kind = Kind::read;
  std::optional<std::int64_t> value{};  // the value read (none: no such key), or written
  std::int64_t expected = 0;            // by a swap
  core::Time called{};
  core::Time returned{};
  // The end is not known: the operation may take effect at any time after its call, or never.
  bool unknown = false;
};

// Returns nothing if the answer would take more than `most_steps` steps.
[[nodiscard]] std::optional<bool> is_linearizable(std::vector<RegisterCall> calls,
                                                  std::uint64_t most_steps = 20'000'000);

}  // namespace rhizome::agents::program
