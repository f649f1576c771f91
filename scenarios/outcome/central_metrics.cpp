// The metrics of central schedulers: how workers are shared between models, how long batches take,
// how fast queries are answered, and how long a crash delays them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using agents::central::BatchEnded;
using agents::central::HeadElected;
using agents::central::ShareChanged;

std::vector<double> batch_times(const Outcome& outcome) {
  std::vector<double> times;
  for (const auto& noted : outcome.facts.of<BatchEnded>())
    times.push_back(core::seconds(noted.fact.took));
  return times;
}

double deviation(const std::vector<double>& values) {
  if (values.size() < 2) return not_applicable;
  const double middle = mean(values);
  double square = 0;
  for (const double value : values) square += (value - middle) * (value - middle);
  return std::sqrt(square / static_cast<double>(values.size() - 1));
}

// The share of a model in the last split of workers between several models.
double share_of(const Outcome& outcome, std::uint32_t model) {
  double share = not_applicable;
  for (const auto& noted : outcome.facts.of<ShareChanged>())
    if (noted.fact.models > 1 && noted.fact.model == model) share = noted.fact.workers;
  return share;
}

// The largest number of queries that end within ten seconds, per second.
double query_rate(const Outcome& outcome) {
  constexpr double window = 10;
  std::vector<double> ends;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) ends.push_back(core::seconds(task.completed_at));
  if (ends.empty() || outcome.facts.of<HeadElected>().empty()) return not_applicable;
  std::ranges::sort(ends);
  std::size_t most = 0;
  for (std::size_t first = 0, last = 0; last < ends.size(); ++last) {
    while (ends[last] - ends[first] >= window) ++first;
    most = std::max(most, last - first + 1);
  }
  return static_cast<double>(most) / window;
}

// The time from the arrival of the second job to its first start.
double second_job_start(const Outcome& outcome) {
  std::optional<Time> started;
  std::optional<Time> arrived;
  for (const TaskOutcome& task : outcome.tasks) {
    if (task.id.job != 1 || task.starts == 0) continue;
    if (!started || task.started_at < *started) started = task.started_at;
    arrived = task.submitted_at;
  }
  return started ? core::seconds(*started - *arrived) : not_applicable;
}

std::optional<Time> first_death(const Outcome& outcome) {
  for (const core::Fault& fault : outcome.faults)
    if (core::ends_life(fault.kind)) return fault.at;
  return {};
}

// The time from the first crash until a peer takes a peer for dead.
double detection(const Outcome& outcome) {
  const auto death = first_death(outcome);
  if (!death) return not_applicable;
  for (const auto& noted : outcome.facts.of<overlay::PeerDead>())
    if (noted.at >= *death) return core::seconds(noted.at - *death);
  return not_applicable;
}

// The time from the first crash until its work is begun again: the first start of a task after a
// task of the lost worker was handed out again, or after another head was elected.
double recovery(const Outcome& outcome) {
  const auto death = first_death(outcome);
  if (!death) return not_applicable;
  Time again = Time::max();
  for (const auto& noted : outcome.facts.of<agents::TaskReissued>())
    if (noted.at >= *death && noted.fact.reason == "worker lost") again = std::min(again, noted.at);
  for (const auto& noted : outcome.facts.of<HeadElected>())
    if (noted.at > *death) again = std::min(again, noted.at);
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>())
    if (noted.at >= again) return core::seconds(noted.at - *death);
  return not_applicable;
}

Metric batch_time(std::string name, std::string title, std::string meaning,
                  std::function<double(const Outcome&)> of) {
  return {std::move(name), std::move(title), "s",          std::move(meaning),
          false,           Better::less,     std::move(of)};
}

Metric batch_percentile(int percent) {
  const std::string number = std::to_string(percent);
  return batch_time(
      "p" + number + "_batch_time", number + " % batch time",
      "Batch time that " + number + " of 100 batches do not exceed.",
      [percent](const Outcome& o) { return percentile(batch_times(o), percent / 100.0); });
}

}  // namespace

std::vector<Metric> central_metrics() {
  return {
      batch_time("batch_time", "batch time",
                 "Time of a batch at its worker, loading of the model included; the mean over "
                 "batches.",
                 [](const Outcome& o) { return mean(batch_times(o)); }),
      batch_percentile(50),
      batch_percentile(95),
      batch_percentile(99),
      batch_time("batch_time_deviation", "deviation of batch times",
                 "Standard deviation of the batch times.",
                 [](const Outcome& o) { return deviation(batch_times(o)); }),
      {"query_rate", "query rate", "1/s",
       "Queries answered per second, in the window of ten seconds in which it was highest.", false,
       Better::more, query_rate},
      {"first_model_workers", "workers of the first model", "",
       "Workers of the first model after the last split between several models.", false,
       Better::neither, [](const Outcome& o) { return share_of(o, 0); }},
      {"second_model_workers", "workers of the second model", "",
       "Workers of the second model after the last split between several models.", false,
       Better::neither, [](const Outcome& o) { return share_of(o, 1); }},
      {"second_job_start", "start of the second job", "s",
       "Time from the arrival of the second job until its first task begins.", false, Better::less,
       second_job_start},
      {"detection_time", "detection time", "s",
       "Time from the first crash until another peer declares the crashed peer dead.", false,
       Better::less, detection},
      {"recovery_time", "time to normal", "s",
       "Time from the first crash until a task begins after the work of the crashed peer was "
       "handed out again, or a new head was elected.",
       false, Better::less, recovery},
  };
}

}  // namespace rhizome::scenarios
