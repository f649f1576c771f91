// All jobs of a workload of a scenario.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/world/workload/workload.hpp"

namespace rhizome::test {

inline std::vector<agents::Job> jobs_of(const std::string& kind, scenarios::WorkloadSection section,
                                        std::uint64_t seed = 1) {
  for (const scenarios::WorkloadModel& model : scenarios::workload_models()) {
    if (model.word != kind) continue;
    const auto arrivals = model.open(section, core::Rng(seed));
    std::vector<agents::Job> jobs;
    while (auto job = arrivals->next()) jobs.push_back(*std::move(job));
    return jobs;
  }
  return {};
}

}  // namespace rhizome::test
