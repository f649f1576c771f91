#include "tools/compare/figures.hpp"

#include <algorithm>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::tools {

namespace {

std::size_t unfinished_tasks(const Outcome& outcome) {
  const auto undone =
      std::ranges::count_if(outcome.tasks, [](const TaskOutcome& task) { return !task.completed; });
  return static_cast<std::size_t>(undone) + outcome.unseen;
}

}  // namespace

std::string contestant_name(const Identity& identity) {
  const std::string cell = cell_text(identity);
  return cell.empty() ? identity.label : identity.label + ", " + cell;
}

RunFigures figures_of(const Outcome& outcome, std::string origin) {
  RunFigures figures{.identity = outcome.identity,
                     .origin = std::move(origin),
                     .ending = outcome.ending,
                     .validity = outcome.validity,
                     .failure = outcome.failure,
                     .violations = outcome.violations.size(),
                     .repeated = outcome.repeated,
                     .steered = outcome.steered.operator_commands,
                     .steered_as = outcome.steered.again,
                     .unfinished = 0,
                     .lost = !outcome.lost.empty(),
                     .results_known = results_known(outcome),
                     .judged = outcome.judged};
  if (outcome.ending == core::Ending::open) {
    figures.open_for = outcome.open_for;
  } else {
    figures.unfinished = unfinished_tasks(outcome);
  }
  for (const Metric& metric : metrics()) figures.values.push_back(metric.of(outcome));
  return figures;
}

}  // namespace rhizome::tools
