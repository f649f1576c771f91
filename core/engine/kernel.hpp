// The real computation that peers can be given: a dense product of two matrices.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/peer/work.hpp"

namespace rhizome::core {

// Multiplies two seeded `order`×`order` matrices of small whole doubles and returns a checksum of
// the product: the same on every machine, since sums of small whole numbers are exact. Takes about
// 2·order³ floating-point operations and 24·order² bytes.
// Returns soon, with a number that means nothing, once `stopped` says so.
[[nodiscard]] std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed,
                                              const std::atomic<bool>* stopped = nullptr);

// Whether it is more than a time that passes.
[[nodiscard]] constexpr bool is_real(const Work& work) { return work.kind == Work::Kind::matrix; }

// What doing a piece of work yields; 0 for emulated work.
[[nodiscard]] inline std::uint64_t result_of(const Work& work,
                                             const std::atomic<bool>* stopped = nullptr) {
  return is_real(work) ? multiply_matrices(work.order, work.seed, stopped) : 0;
}

}  // namespace rhizome::core
