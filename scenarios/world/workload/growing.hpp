// Jobs that grow: a finished task may add tasks to its job, which are unknown before (Peterson's
// dissertation, chapter 6: 10 or 100 of them). The growth of a job is drawn from the seed alone, so
// that a job grows alike under all schedulers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agents/arrivals.hpp"
#include "core/peer/rng.hpp"
#include "core/peer/setting.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

struct GrowthOptions {
  double chance = 0.05;
  std::uint32_t tasks = 10;
  std::uint32_t depth = 3;
};

[[nodiscard]] std::vector<core::Setting> growth_settings();

[[nodiscard]] std::unique_ptr<agents::Arrivals> generate_growing(const WorkloadSection& section,
                                                                 const core::Rng& rng);

}  // namespace rhizome::scenarios
