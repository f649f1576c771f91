// Workloads that are lists of jobs.
#pragma once

#include <cstdint>
#include <string>

#include "scenarios/world/workload/workload.hpp"

namespace rhizome::test {

inline scenarios::WorkloadSection section_of(const std::string& file,
                                             std::uint32_t max_jobs = 100) {
  scenarios::WorkloadSection section;
  const auto models = scenarios::workload_models();
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].word == "job-list") section.kind = static_cast<scenarios::WorkloadKind>(i);
  section.file = file;
  section.max_jobs = max_jobs;
  return section;
}

}  // namespace rhizome::test
