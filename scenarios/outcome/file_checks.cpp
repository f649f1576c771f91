// The checker of outputs of tasks.
#include <set>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

using agents::files::OutputKept;

// If tasks leave outputs, every output is at its client by the time at which its task counts as
// done, and has the right content.
void check_outputs(const Outcome& outcome, Findings& findings) {
  std::set<agents::TaskId> kept;
  for (const auto& noted : outcome.facts.of<OutputKept>()) {
    kept.insert(noted.fact.task);
    if (noted.fact.right) continue;
    findings.add("outputs", noted.peer, noted.at,
                 [&] { return "an output is not what its task leaves" + text_of(noted); });
  }
  if (kept.empty()) return;
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.completed || kept.contains(task.id)) continue;
    findings.add("outputs", task.executor, task.completed_at, [&] {
      return "task " + std::to_string(task.id.job) + "." + std::to_string(task.id.portion) +
             " counts as done, but what it leaves is not at its client";
    });
  }
}

}  // namespace rhizome::scenarios
