// Work that solves sparse linear systems: the benchmark CG of the NAS Parallel Benchmarks, by which
// peers of the source measure how fast they are (Peterson, dissertation, section 5.5).
#pragma once

#include <cstdint>

#include "core/work/kind.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::agents {

// The sizes that the benchmark publishes: rows of the matrix 1,400, 7,000 and 14,000.
enum class CgClass : std::uint8_t { S, W, A, last = A };

// Estimates the smallest eigenvalue of the benchmark's random matrix by inverse iteration, with 25
// steps of conjugate gradients each, and returns what the benchmark calls zeta. Goes on as fast as
// the throttle lets it; once that is cancelled it returns 0 soon.
[[nodiscard]] double conjugate_gradient(CgClass size, core::Throttle& throttle);

// Whether that differs from the published value by at most 1e-10 of it, as the benchmark verifies
// it (Bailey et al. 1994, The NAS Parallel Benchmarks, RNR-94-007, section 2.4).
[[nodiscard]] bool is_published(CgClass size, double zeta);

[[nodiscard]] core::WorkKind conjugate_gradient_work();

}  // namespace rhizome::agents
