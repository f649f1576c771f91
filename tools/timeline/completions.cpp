#include "tools/timeline/completions.hpp"

#include <algorithm>

namespace rhizome::tools {

namespace {

constexpr std::size_t most_points = 100;  // of a line

std::size_t in_every_repetition(const Completions& of) {
  if (of.times.empty()) return 0;
  return std::ranges::min_element(of.times,
                                  [](const auto& a, const auto& b) { return a.size() < b.size(); })
      ->size();
}

// About so many points, including the last.
std::vector<std::size_t> shown_of(std::size_t count) {
  const std::size_t step = std::max<std::size_t>(1, count / most_points);
  std::vector<std::size_t> shown;
  for (std::size_t k = 1; k < count; k += step) shown.push_back(k);
  if (count > 0) shown.push_back(count);
  return shown;
}

LinePoint kth(const Completions& of, std::size_t k, double confidence) {
  std::vector<double> values;
  for (const std::vector<double>& times : of.times) values.push_back(times[k - 1]);
  return {of.name, static_cast<double>(k), estimate_mean(values, confidence)};
}

}  // namespace

std::vector<double> completions_of(const Outcome& outcome) {
  Time first = Time::max();
  for (const scenarios::TaskOutcome& task : outcome.tasks)
    if (task.submitted) first = std::min(first, task.submitted_at);
  std::vector<double> times;
  for (const scenarios::TaskOutcome& task : outcome.tasks)
    if (task.completed) times.push_back(core::seconds(task.completed_at - first));
  std::ranges::sort(times);
  return times;
}

Chart kth_completion_chart(const std::vector<Completions>& all, double confidence,
                           std::optional<double> limit) {
  std::vector<LinePoint> line;
  std::size_t most = 0;
  for (const Completions& each : all) {
    const std::size_t count = in_every_repetition(each);
    most = std::max(most, count);
    for (const std::size_t k : shown_of(count)) line.push_back(kth(each, k, confidence));
  }
  if (limit && most > 0) {
    line.push_back({fluid_limit_name, 1, {.value = *limit / static_cast<double>(most)}});
    line.push_back({fluid_limit_name, static_cast<double>(most), {.value = *limit}});
  }
  return {.id = "kth-completion",
          .title = "When the k-th task was completed",
          .caption =
              "Mean time of the k-th completion over k; the bands are Student's intervals of "
              "that mean over the repetitions.",
          .spec = line_chart(line, {.title = "tasks completed"},
                             {.title = "seconds", .not_negative = true})};
}

}  // namespace rhizome::tools
