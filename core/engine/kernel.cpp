#include "core/engine/kernel.hpp"

#include <cstddef>
#include <vector>

#include "core/peer/rng.hpp"

namespace rhizome::core {

namespace {

using Matrix = std::vector<double>;

Matrix seeded(std::size_t order, Rng& rng) {
  Matrix matrix(order * order);
  for (double& cell : matrix) cell = static_cast<double>(rng.between(-8, 8));
  return matrix;
}

std::uint64_t checksum(const Matrix& matrix) {
  std::uint64_t sum = 0;
  for (const double cell : matrix)
    sum = sum * 31 + static_cast<std::uint64_t>(static_cast<std::int64_t>(cell));
  return sum;
}

}  // namespace

std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed, Throttle* throttle) {
  Rng rng = Rng::derive({seed}, "matrix");
  const std::size_t n = order;
  const Matrix a = seeded(n, rng);
  const Matrix b = seeded(n, rng);
  Matrix product(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (throttle != nullptr && !throttle->go_on()) break;
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) product[i * n + j] += factor * b[k * n + j];
    }
  }
  return checksum(product);
}

}  // namespace rhizome::core
