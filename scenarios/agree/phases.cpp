#include "scenarios/agree/phases.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

// When each task completed, ascending.
std::vector<Time> completions(const Outcome& outcome) {
  std::vector<Time> times;
  for (const TaskOutcome& task : outcome.tasks)
    if (task.completed) times.push_back(task.completed_at);
  std::sort(times.begin(), times.end());
  return times;
}

Time beginning(const Outcome& outcome) {
  Time first = Time::max();
  for (const TaskOutcome& task : outcome.tasks)
    if (task.submitted) first = std::min(first, task.submitted_at);
  return first;
}

}  // namespace

PhaseFigures phases_of(const Outcome& outcome) {
  PhaseFigures figures;
  const std::vector<Time> times = completions(outcome);
  if (times.empty()) return figures;
  const Time begun = beginning(outcome);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const std::size_t wanted = (outcome.tasks.size() * (phase + 1) + phases - 1) / phases;
    const Time end = times[std::clamp<std::size_t>(wanted, 1, times.size()) - 1];
    figures.seconds[phase] = core::seconds(end - begun);
    for (const SampleOutcome& sample : outcome.samples) {
      if (sample.from > end) break;
      for (std::size_t c = 0; c < core::message_classes; ++c)
        figures.messages[c][phase] += static_cast<double>(sample.messages[c]);
    }
  }
  return figures;
}

const PhaseSeries& series_for(const PhaseFigures& figures, const std::string& metric) {
  for (std::size_t c = 0; c < core::message_classes; ++c)
    if (metric.starts_with(std::string(name_of(static_cast<core::MessageClass>(c))) + "_"))
      return figures.messages[c];
  return figures.seconds;
}

}  // namespace rhizome::scenarios
