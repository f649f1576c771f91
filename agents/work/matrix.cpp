#include "agents/work/matrix.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/peer/rng.hpp"
#include "core/work/loop.hpp"

namespace rhizome::agents {

namespace {

using core::Rng;
using Matrix = std::vector<double>;

struct Options {
  std::uint32_t order = 128;
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "order", &Options::order,
      {"Rows of the matrices; the work grows with the third power.", "our choice", 1, 4096});
}

// Nothing where it is not to go on.
Matrix seeded(std::size_t order, Rng& rng, core::Throttle& throttle) {
  Matrix matrix;
  matrix.reserve(order * order);
  for (std::size_t row = 0; row < order; ++row) {
    if (!throttle.go_on()) return {};
    for (std::size_t i = 0; i < order; ++i)
      matrix.push_back(static_cast<double>(rng.between(-8, 8)));
  }
  return matrix;
}

constexpr std::uint64_t weight = 31;  // of a cell beside the one after it

std::uint64_t whole(double cell) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(cell));
}

std::uint64_t checksum(const Matrix& matrix) {
  std::uint64_t sum = 0;
  for (const double cell : matrix) sum = sum * weight + whole(cell);
  return sum;
}

// base^(count-1), ..., base, 1.
std::vector<std::uint64_t> powers(std::uint64_t base, std::size_t count) {
  std::vector<std::uint64_t> list(count, 1);
  for (std::size_t i = count - 1; i-- > 0;) list[i] = list[i + 1] * base;
  return list;
}

}  // namespace

std::uint64_t multiply_matrices(std::uint32_t order, std::uint64_t seed, core::Throttle& throttle) {
  Rng rng = Rng::derive({seed}, "matrix");
  const std::size_t n = order;
  const Matrix a = seeded(n, rng, throttle);
  const Matrix b = seeded(n, rng, throttle);
  if (a.empty() || b.empty()) return 0;
  Matrix product(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!throttle.go_on()) return 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) product[i * n + j] += factor * b[k * n + j];
    }
  }
  return checksum(product);
}

std::uint64_t product_checksum(std::uint32_t order, std::uint64_t seed, core::Throttle& throttle) {
  Rng rng = Rng::derive({seed}, "matrix");
  const std::size_t n = order;
  const Matrix a = seeded(n, rng, throttle);
  const Matrix b = seeded(n, rng, throttle);
  if (a.empty() || b.empty()) return 0;
  const std::vector<std::uint64_t> across = powers(weight, n);
  const std::vector<std::uint64_t> down = powers(across.front() * weight, n);
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::uint64_t column = 0;
    std::uint64_t row = 0;
    for (std::size_t i = 0; i < n; ++i) {
      column += down[i] * whole(a[i * n + k]);
      row += across[i] * whole(b[k * n + i]);
    }
    sum += column * row;
  }
  return sum;
}

core::WorkKind matrix_work() {
  return core::make_work_kind<Options>(
      {.name = "matrix",
       .summary = "a dense product of two seeded square matrices",
       .settings = settings(),
       .compute = [](const Options& options,
                     std::uint64_t seed) -> std::unique_ptr<core::Computation> {
         return std::make_unique<core::Loop>([options, seed](core::Throttle& throttle) {
           const std::uint64_t sum = multiply_matrices(options.order, seed, throttle);
           return core::judged("checksum " + std::to_string(sum),
                               sum == product_checksum(options.order, seed, throttle));
         });
       }});
}

}  // namespace rhizome::agents
