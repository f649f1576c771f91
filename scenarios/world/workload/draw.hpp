// Tasks drawn at random by the settings of [workload].
#pragma once

#include "agents/task.hpp"
#include "core/peer/rng.hpp"
#include "scenarios/world/sections.hpp"

namespace rhizome::scenarios {

// A random factor of a duration, about 1.
[[nodiscard]] double draw_factor(const WorkloadSection& section, core::Rng& rng);

// A task of portion_time times that factor, with that work. A property that is equal for all tasks
// draws no random number, so that a scenario without ranges keeps its history.
[[nodiscard]] agents::Task draw_task(const WorkloadSection& section, const core::Recipe& recipe,
                                     core::Rng& rng, agents::TaskId id, double factor);

}  // namespace rhizome::scenarios
