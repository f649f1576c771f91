#include "tools/compare/figures.hpp"

#include <algorithm>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::tools {

RunFigures figures_of(const Outcome& outcome, std::string origin) {
  RunFigures figures{.identity = outcome.identity,
                     .origin = std::move(origin),
                     .ending = outcome.ending,
                     .validity = outcome.validity,
                     .failure = outcome.failure,
                     .violations = outcome.violations.size(),
                     .unfinished = 0,
                     .judged = outcome.judged,
                     .values = {}};
  for (const TaskOutcome& task : outcome.tasks) figures.unfinished += task.completed ? 0 : 1;
  for (const Metric& metric : metrics()) figures.values.push_back(metric.of(outcome));
  return figures;
}

}  // namespace rhizome::tools
