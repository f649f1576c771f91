#include "agents/arrivals.hpp"

#include <algorithm>

namespace rhizome::agents {

std::optional<Job> ListedArrivals::next() {
  if (next_ == workload_.jobs.size()) return {};
  return std::move(workload_.jobs[next_++]);
}

std::optional<Job> ArrivalsUntil::next() {
  if (more_) return {};
  std::optional<Job> job = all_->next();
  more_ = job && job->arrival > last_;
  if (more_) job.reset();
  return job;
}

void Profile::add(const Job& job) {
  ++jobs;
  tasks += job.portions.size();
  largest_job = std::max(largest_job, static_cast<std::uint32_t>(job.portions.size()));
  first = std::min(first, job.arrival);
  last = std::max(last, job.arrival);
  added += job.portions.size() - job.known();
  if (!job.dependencies.empty()) graphs.add(shape_of(job));
  heaviest = std::max(heaviest, heaviest_of(job));
  double together = 0;
  for (const Task& task : job.portions) {
    longest = std::max(longest, task.duration);
    longest_estimate = std::max(longest_estimate, task.estimate);
    last = std::max(last, job.arrival + task.after);
    together += core::seconds(task.duration);
    processor_work += core::seconds(task.duration) * task.cpus;
    largest = Resources::most(largest, resources_of(task));
    if (!recipes.contains(task.recipe)) recipes.insert(task.recipe);
  }
  work += together;
  most_work = std::max(most_work, together);
}

double Profile::mean_task() const {
  return work / static_cast<double>(std::max<std::uint64_t>(tasks, 1));
}

namespace {

// The first of all for which that does not hold.
void find_first(std::optional<Task>& found, const Job& job,
                const std::function<bool(const Task&)>& holds) {
  if (!holds || found) return;
  const auto first = std::find_if_not(job.portions.begin(), job.portions.end(), holds);
  if (first != job.portions.end()) found = *first;
}

}  // namespace

Profile profile_of(Arrivals& arrivals, const Fits& fits) {
  Profile profile;
  while (const std::optional<Job> job = arrivals.next()) {
    profile.add(*job);
    find_first(profile.misfit, *job, fits.somebody);
    find_first(profile.choosy, *job, fits.every_peer);
  }
  return profile;
}

}  // namespace rhizome::agents
