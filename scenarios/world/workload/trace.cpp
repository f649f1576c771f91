#include "scenarios/world/workload/trace.hpp"

#include <algorithm>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

LoadedWorkload cut_trace(std::vector<TraceJob> jobs, const WorkloadSection& section) {
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const TraceJob& a, const TraceJob& b) { return a.submitted < b.submitted; });
  const std::size_t all = jobs.size();
  const double origin = jobs.empty() ? 0 : jobs.front().submitted;
  const double from = origin + core::seconds(section.from);
  const double until = origin + core::seconds(section.until);
  std::erase_if(jobs, [&](const TraceJob& job) {
    return job.submitted < from || (section.until.count() > 0 && job.submitted >= until);
  });
  if (section.max_jobs > 0 && jobs.size() > section.max_jobs) jobs.resize(section.max_jobs);
  if (jobs.empty()) throw InputError(section.file, 1, 1, "no job of the trace is left to run");

  LoadedWorkload loaded;
  const double first = jobs.front().submitted;
  for (const TraceJob& traced : jobs) {
    const auto id = static_cast<std::uint32_t>(loaded.workload.jobs.size());
    agents::Job job{.id = id,
                    .arrival = core::Time{} + core::from_seconds((traced.submitted - first) /
                                                                 section.time_compression),
                    .portions = {}};
    for (const TraceTask& task : traced.tasks)
      job.portions.push_back({.id = {id, static_cast<std::uint32_t>(job.portions.size())},
                              .duration = core::from_seconds(task.run * section.duration_scale),
                              .memory = task.memory});
    loaded.workload.jobs.push_back(std::move(job));
  }
  if (loaded.workload.jobs.size() < all)
    loaded.remarks.push_back(std::to_string(all - loaded.workload.jobs.size()) + " of " +
                             std::to_string(all) +
                             " jobs left out: outside of the window, or more than asked for");
  return loaded;
}

}  // namespace rhizome::scenarios
