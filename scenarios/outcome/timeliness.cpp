// Whether the makespan is between what no run can beat and what the scheduler promises.
#include "scenarios/outcome/findings.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

bool complete(const Outcome& outcome) {
  return outcome.unseen == 0 &&
         std::ranges::all_of(outcome.tasks, [](const TaskOutcome& task) { return task.completed; });
}

// Only emulated work takes exactly its duration; for real work that is an estimate.
bool emulated(const Outcome& outcome) { return !outcome.facts.any<agents::TaskComputed>(); }

std::string in_seconds(double seconds) { return std::to_string(seconds) + " s"; }

// Each task may end up to a nanosecond early, for times are rounded down.
void check_lower_bound(const Outcome& outcome, Findings& findings) {
  if (outcome.tasks.empty() || !complete(outcome) || !emulated(outcome)) return;
  const double bound = find_metric("lower_bound")->of(outcome);
  const Makespan makespan = makespan_of(outcome);
  const double took = core::seconds(makespan.end - makespan.begin);
  const double rounding = 1e-9 * bound + 1e-9 * static_cast<double>(outcome.tasks.size() + 1);
  if (took + rounding >= bound) return;
  findings.add("over-lower-bound", core::no_peer, makespan.end, [&] {
    return "the makespan, " + in_seconds(took) + ", is below its lower bound of " +
           in_seconds(bound);
  });
}

void check_in_time(const Outcome& outcome, Findings& findings) {
  if (outcome.in_time == Duration::zero() || !faultless(outcome) || !outcome.cuts.empty()) return;
  const Time last = makespan_of(outcome).end;
  if (last <= Time{} + outcome.in_time) return;
  findings.add("in-time", core::no_peer, last, [&] {
    return "the last result came after " + in_seconds(core::seconds(last)) +
           " without a fault; the scheduler promises it within " +
           in_seconds(core::seconds(outcome.in_time));
  });
}

}  // namespace

void check_timeliness(const Outcome& outcome, Findings& findings) {
  check_lower_bound(outcome, findings);
  check_in_time(outcome, findings);
}

}  // namespace rhizome::scenarios
