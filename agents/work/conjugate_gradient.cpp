#include "agents/work/conjugate_gradient.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/work/loop.hpp"

namespace rhizome::agents {

namespace {

struct Problem {
  std::size_t rows;
  std::size_t nonzeros;  // of a random vector
  std::uint32_t iterations;
  double shift;
  double zeta;  // as published
};
constexpr std::array<Problem, 3> problems{{{1400, 7, 15, 10, 8.5971775078648},
                                           {7000, 8, 15, 12, 10.362595087124},
                                           {14000, 11, 15, 20, 17.130235054029}}};
constexpr double condition = 0.1;  // the reciprocal of the matrix's condition number
constexpr std::uint32_t steps = 25;

using Vector = std::vector<double>;

// The benchmark's random numbers: linear congruential, of 46 bits (section 2.3).
class Randlc {
 public:
  double next() {
    constexpr std::uint64_t factor = 1'220'703'125;  // 5 to the 13th
    constexpr std::uint64_t mask = (std::uint64_t{1} << 46U) - 1;
    seed_ = seed_ * factor & mask;
    return std::ldexp(static_cast<double>(seed_), -46);
  }

 private:
  std::uint64_t seed_ = 314'159'265;
};

struct Cell {
  std::size_t column;
  double value;
};
using Sparse = std::vector<Cell>;

// A vector with so many random cells, and one half at that position.
Sparse random_vector(Randlc& random, const Problem& problem, std::size_t position) {
  std::size_t range = 1;
  while (range < problem.rows) range *= 2;
  const auto at = [](Sparse& cells, std::size_t column) {
    return std::find_if(cells.begin(), cells.end(),
                        [column](const Cell& cell) { return cell.column == column; });
  };
  Sparse cells;
  while (cells.size() < problem.nonzeros) {
    const double value = random.next();
    const auto column = static_cast<std::size_t>(static_cast<double>(range) * random.next());
    if (column < problem.rows && at(cells, column) == cells.end()) cells.push_back({column, value});
  }
  const auto found = at(cells, position);
  if (found != cells.end())
    found->value = 0.5;
  else
    cells.push_back({position, 0.5});
  return cells;
}

// Rows one behind the other.
class Matrix {
 public:
  explicit Matrix(std::vector<Sparse> rows) {
    for (Sparse& row : rows) {
      std::stable_sort(row.begin(), row.end(),
                       [](const Cell& a, const Cell& b) { return a.column < b.column; });
      for (const Cell& cell : row)
        if (cells_.size() > ends_.back() && cells_.back().column == cell.column)
          cells_.back().value += cell.value;
        else
          cells_.push_back(cell);
      ends_.push_back(cells_.size());
    }
  }
  void multiply(const Vector& by, Vector& product) const {
    for (std::size_t row = 0; row < product.size(); ++row) {
      double sum = 0;
      for (std::size_t i = ends_[row]; i < ends_[row + 1]; ++i)
        sum += cells_[i].value * by[cells_[i].column];
      product[row] = sum;
    }
  }

 private:
  Sparse cells_;
  std::vector<std::size_t> ends_{0};
};

// The sum of the outer products of random vectors, whose weights fall from 1 to the condition, and
// of a diagonal.
std::vector<Sparse> random_rows(const Problem& problem, core::Throttle& throttle) {
  Randlc random;
  static_cast<void>(random.next());
  std::vector<Sparse> rows(problem.rows);
  const double ratio = std::pow(condition, 1.0 / static_cast<double>(problem.rows));
  double weight = 1;
  for (std::size_t i = 0; i < problem.rows; ++i, weight *= ratio) {
    if (i % 256 == 0 && !throttle.go_on()) return {};
    const Sparse vector = random_vector(random, problem, i);
    for (const Cell& down : vector)
      for (const Cell& across : vector)
        rows[down.column].push_back({across.column, across.value * weight * down.value});
    rows[i].push_back({i, condition - problem.shift});
  }
  return rows;
}

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// a + factor b, in place of a.
void add(Vector& a, double factor, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

// Nearly the solution of matrix times it = x; nothing where it is not to go on.
Vector solve(const Matrix& matrix, const Vector& x, core::Throttle& throttle) {
  Vector solution(x.size(), 0.0);
  Vector rest = x;
  Vector direction = rest;
  Vector image(x.size());
  double rho = dot(rest, rest);
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (!throttle.go_on()) return {};
    matrix.multiply(direction, image);
    const double alpha = rho / dot(direction, image);
    add(solution, alpha, direction);
    add(rest, -alpha, image);
    const double before = std::exchange(rho, dot(rest, rest));
    const double beta = rho / before;
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = rest[i] + beta * direction[i];
  }
  return solution;
}

// 0 where it is not to go on.
double zeta_of(const Problem& problem, core::Throttle& throttle) {
  std::vector<Sparse> rows = random_rows(problem, throttle);
  if (rows.empty()) return 0;
  const Matrix matrix(std::move(rows));
  Vector x(problem.rows, 1.0);
  double zeta = 0;
  for (std::uint32_t i = 0; i < problem.iterations; ++i) {
    Vector z = solve(matrix, x, throttle);
    if (z.empty()) return 0;
    zeta = problem.shift + 1 / dot(x, z);
    const double length = std::sqrt(dot(z, z));
    for (double& cell : z) cell /= length;
    x = std::move(z);
  }
  return zeta;
}

struct Options {
  CgClass size = CgClass::S;
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}.add(
      "class", &Options::size, {"S", "W", "A"},
      {"Size of the problem: 1,400, 7,000 or 14,000 rows.", "NAS Parallel Benchmarks"});
}

// The value with as many digits as published.
std::string text_of(double zeta) {
  std::array<char, 32> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), zeta, std::chars_format::fixed, 13);
  return {text.data(), end};
}

}  // namespace

double conjugate_gradient(CgClass size, core::Throttle& throttle) {
  return zeta_of(problems[static_cast<std::size_t>(size)], throttle);
}

bool is_published(CgClass size, double zeta) {
  constexpr double tolerance = 1e-10;
  const double published = problems[static_cast<std::size_t>(size)].zeta;
  return std::abs(zeta - published) <= tolerance * published;
}

core::WorkKind conjugate_gradient_work() {
  return core::make_work_kind<Options>(
      {.name = "cg",
       .summary = "conjugate gradients on a sparse matrix: CG of the NAS Parallel Benchmarks",
       .settings = settings(),
       .compute = [](const Options& options, std::uint64_t) -> std::unique_ptr<core::Computation> {
         return std::make_unique<core::Loop>([size = options.size](core::Throttle& throttle) {
           const double zeta = conjugate_gradient(size, throttle);
           return core::judged("zeta " + text_of(zeta), is_published(size, zeta));
         });
       }});
}

}  // namespace rhizome::agents
