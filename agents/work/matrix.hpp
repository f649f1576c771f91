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

// The right checksum of the product. The checksum is linear in the cells of the product, so that
// each matrix is multiplied by a vector of weights instead: order² operations (R. Freivalds, Fast
// probabilistic algorithms, 1979; here without chance, since the weights are those of the
// checksum).
[[nodiscard]] std::uint64_t product_checksum(std::uint32_t order, std::uint64_t seed,
                                             core::Throttle& throttle);

[[nodiscard]] core::WorkKind matrix_work();

}  // namespace rhizome::agents
