// Jobs whose tasks need each other, or add others, drawn from the seed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/rng.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// Jobs that grow: a finished task may add tasks to its job, which are unknown before (Peterson's
// dissertation, chapter 6: 10 or 100 of them). The growth of a job is drawn from the seed alone, so
// that a job grows alike under all schedulers.
struct GrowthOptions {
  double chance = 0.05;
  std::uint32_t tasks = 10;
  std::uint32_t depth = 3;
};

[[nodiscard]] std::vector<core::Setting> growth_settings();

[[nodiscard]] std::unique_ptr<agents::Arrivals> generate_growing(const WorkloadSection& section,
                                                                 const core::Rng& rng);

// The matrix of Peterson's dissertation, sections 6 and 7: a graph of rows and columns in which a
// task may need its neighbours to the west, the north and the north-west, and independent tasks
// beside it.
struct MatrixOptions {
  std::uint32_t dims = 5;
  double tg_prob_connected = 0.2;
  std::uint32_t independent = 0;
  std::uint64_t edge_bytes = 0;
};

[[nodiscard]] std::vector<core::Setting> matrix_settings();

// The matrix is one job, row by row. The independent tasks are a second job, which arrives at the
// same time.
[[nodiscard]] std::unique_ptr<agents::Arrivals> generate_matrix(const WorkloadSection& section,
                                                                const core::Rng& rng);

}  // namespace rhizome::scenarios
