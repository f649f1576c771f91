#include "agents/provision/formula.hpp"

#include <algorithm>

namespace rhizome::agents::provision {

namespace {

// The mean unfinished share of the jobs; 0 without jobs.
double mean_unfinished(std::span<const JobProgress> jobs) {
  if (jobs.empty()) return 0;
  double sum = 0;
  for (const JobProgress& job : jobs)
    sum += static_cast<double>(job.left) / static_cast<double>(job.tasks);
  return sum / static_cast<double>(jobs.size());
}

double queue_of(const ClusterState& cluster, core::Duration unit) {
  if (cluster.required == 0) return 0;
  const double time = core::seconds(cluster.waited) / core::seconds(unit);
  return (double{1} * cluster.required - cluster.idle) * time;
}

}  // namespace

Reading read_index(const NodeLimits& limits, std::span<const JobProgress> jobs,
                   std::uint32_t reserved, const ClusterState& cluster, core::Duration unit) {
  Reading reading;
  reading.goal = std::max(limits.most * mean_unfinished(jobs), static_cast<double>(limits.least));
  reading.demand = reading.goal - reserved;
  reading.queue = queue_of(cluster, unit);
  reading.index = reading.demand - reading.queue;
  return reading;
}

}  // namespace rhizome::agents::provision
