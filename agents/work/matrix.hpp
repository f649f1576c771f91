// Work that is a dense product of two matrices.
#pragma once

#include <cstdint>

#include "core/work/kind.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::agents {

// Multiplies two seeded `order`×`order` matrices of small whole doubles and returns a checksum of
// the product: the same on every machine, since sums of small whole numbers are exact. Takes about
// 2·order³ floating-point operations and 24·order² bytes.
// Goes on as fast as the throttle lets it; once that is cancelled it returns soon, with a number
// that means nothing.
[[nodiscard]] std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed,
                                              core::Throttle& throttle);

[[nodiscard]] core::WorkKind matrix_work();

}  // namespace rhizome::agents
