// The real computation that peers can be given: a dense product of two matrices.
#pragma once

#include <cstdint>

#include "core/engine/throttle.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// Multiplies two seeded `order`×`order` matrices of small whole doubles and returns a checksum of
// the product: the same on every machine, since sums of small whole numbers are exact. Takes about
// 2·order³ floating-point operations and 24·order² bytes.
// Goes on as fast as the throttle lets it; once that is cancelled it returns soon, with a number
// that means nothing.
[[nodiscard]] std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed,
                                              Throttle* throttle = nullptr);

// Whether it is more than a time that passes.
[[nodiscard]] constexpr bool is_real(const Work& work) { return work.kind == Work::Kind::matrix; }

// What doing a piece of work yields; 0 for emulated work.
[[nodiscard]] inline std::uint64_t result_of(const Work& work, Throttle* throttle = nullptr) {
  return is_real(work) ? multiply_matrices(work.order, work.seed, throttle) : 0;
}

}  // namespace rhizome::core
