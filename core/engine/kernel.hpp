// The real computation that peers can be given: a dense product of two matrices.
#pragma once

#include <cstdint>

namespace rhizome::core {

// Multiplies two seeded `order`×`order` matrices of small whole doubles and returns a checksum of
// the product: the same on every machine, since sums of small whole numbers are exact. Takes about
// 2·order³ floating-point operations and 24·order² bytes.
[[nodiscard]] std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed);

}  // namespace rhizome::core
