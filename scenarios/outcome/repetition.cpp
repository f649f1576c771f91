// Whether tasks ran, were delivered or counted more often than they should have been.
#include "scenarios/outcome/findings.hpp"

namespace rhizome::scenarios {

namespace {

// Why a task that ran or was delivered more than once should not have been; nothing if it may.
const char* repetition_fault(const TaskOutcome& task, bool sound, bool at_least_once,
                             bool congested) {
  if (task.completions > 1) return " completed more than once";
  if (!sound) return nullptr;
  const std::uint32_t allowed = at_least_once ? 1 + task.reissues : 1;
  if (task.executions > allowed)
    return at_least_once ? " was executed more often than it was handed out, without a fault"
                         : " was executed more than once without a fault";
  if (task.duplicates >= allowed && !congested)
    return at_least_once ? " was delivered more often than it was handed out, without a fault"
                         : " was delivered more than once without a fault";
  return nullptr;
}

// A source that takes a result for the first one twice counts a job wrongly, whatever happened.
// Results given once more are known as such; a crash, a loss or a task handed out again makes them
// right, and threads that are too late.
void check_completions(const Outcome& outcome, Findings& findings) {
  const bool sound = faultless(outcome) && !too_late(outcome);
  const bool full = congested(outcome);
  for (const TaskOutcome& task : outcome.tasks)
    if (const char* what = repetition_fault(task, sound, outcome.at_least_once, full))
      findings.add("completes-once", task.executor, task.completed_at,
                   [&] { return name_of(task.id) + what + trail_of(task.id, findings); });
}

}  // namespace

void check_repetition(const Outcome& outcome, Findings& findings) {
  check_completions(outcome, findings);
}

}  // namespace rhizome::scenarios
