// The checker of what tasks leave.
#include <set>

#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

using agents::files::OutputKept;

// Where tasks leave anything, what every one of them leaves is at its client by the time at which
// it counts as done, and is what it must be.
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
