// The matrix of Peterson's dissertation, sections 6 and 7: a graph of rows and columns in which a
// task may need its neighbours to the west, the north and the north-west, and tasks beside it that
// need nobody.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/rng.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

struct MatrixOptions {
  std::uint32_t dims = 5;
  double tg_prob_connected = 0.2;
  std::uint32_t independent = 0;
  std::uint64_t edge_bytes = 0;
};

[[nodiscard]] std::vector<core::Setting> matrix_settings();

// The matrix is one job, row by row; the independent tasks are another, which comes with it.
[[nodiscard]] std::unique_ptr<agents::Arrivals> generate_matrix(const WorkloadSection& section,
                                                                const core::Rng& rng);

}  // namespace rhizome::scenarios
