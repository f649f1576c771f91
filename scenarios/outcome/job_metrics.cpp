// Metrics of the response times of jobs beyond their means, and the means without the warm-up.
#include <algorithm>
#include <numeric>

#include "scenarios/outcome/metrics.hpp"
#include "scenarios/outcome/responses.hpp"

namespace rhizome::scenarios {

Responses responses_of(const Outcome& outcome) {
  std::vector<const JobOutcome*> jobs;
  for (const JobOutcome& job : outcome.jobs)
    if (job.completed) jobs.push_back(&job);
  std::ranges::stable_sort(
      jobs, [](const JobOutcome* a, const JobOutcome* b) { return a->arrived < b->arrived; });
  Responses made;
  for (const JobOutcome* job : jobs) {
    const double response = core::seconds(job->completed_at - job->arrived);
    made.response.push_back(response);
    if (job->work.count() > 0) made.stretch.push_back(response / core::seconds(job->work));
  }
  made.wait = waits_of(outcome);
  return made;
}

namespace {

constexpr std::size_t batch = 5;

std::vector<double> batch_means(std::span<const double> values) {
  std::vector<double> means;
  for (std::size_t i = 0; i + batch <= values.size(); i += batch) {
    const auto of = values.subspan(i, batch);
    means.push_back(std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(batch));
  }
  return means;
}

double mean_of(std::span<const double> values) {
  return mean(std::vector<double>(values.begin(), values.end()));
}

}  // namespace

// Goes from the last batch to the first by Welford's recurrence, so that the sums are of the
// batches that are kept.
std::size_t warm_up_of(std::span<const double> values) {
  constexpr std::size_t least = 20;
  if (values.size() < least) return 0;
  const std::vector<double> means = batch_means(values);
  double mean = 0;
  double squares = 0;
  double best = 0;
  std::size_t cut = 0;
  for (std::size_t kept = 1; kept <= means.size(); ++kept) {
    const std::size_t first = means.size() - kept;
    const double count = static_cast<double>(kept);
    const double step = means[first] - mean;
    mean += step / count;
    squares += step * (means[first] - mean);
    const double error = squares / (count * count);
    const bool allowed = first <= means.size() / 2;
    if (!allowed) continue;
    if (kept == means.size() - means.size() / 2 || error <= best) {
      best = error;
      cut = first;
    }
  }
  return cut * batch;
}

std::span<const double> steady_of(std::span<const double> values) {
  return values.subspan(warm_up_of(values));
}

std::vector<Metric> job_metrics() {
  const auto quantile = [](double share) {
    return [share](const Outcome& o) { return percentile(responses_of(o).response, share); };
  };
  return {
      {"median_response", "median response", "s",
       "Time from a job's arrival to its last result that half of the completed jobs do not "
       "exceed.",
       false, Better::less, quantile(0.5)},
      {"p999_response", "99.9 % response", "s",
       "Time from a job's arrival to its last result that 999 of 1000 completed jobs do not "
       "exceed.",
       false, Better::less, quantile(0.999)},
      {"p99_stretch", "99 % stretch", "",
       "Response over the time of all the job's tasks together at speed 1, that 99 of 100 "
       "completed jobs do not exceed.",
       false, Better::less,
       [](const Outcome& o) { return percentile(responses_of(o).stretch, 0.99); }},
      {"warm_up", "warm-up", "jobs",
       "Completed jobs that arrived before the steady state, which MSER-5 finds in the responses "
       "by order of arrival. Only steady_response and steady_stretch leave them out.",
       false, Better::neither,
       [](const Outcome& o) { return static_cast<double>(warm_up_of(responses_of(o).response)); }},
      {"steady_response", "steady response", "s",
       "The mean response of the completed jobs without the warm-up, cut by MSER-5.", false,
       Better::less, [](const Outcome& o) { return mean_of(steady_of(responses_of(o).response)); }},
      {"steady_stretch", "steady stretch", "",
       "The mean stretch of the completed jobs without the warm-up, cut by MSER-5.", false,
       Better::less, [](const Outcome& o) { return mean_of(steady_of(responses_of(o).stretch)); }},
  };
}

}  // namespace rhizome::scenarios
