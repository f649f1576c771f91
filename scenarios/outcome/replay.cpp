#include "scenarios/outcome/replay.hpp"

#include <algorithm>

namespace rhizome::scenarios {

namespace {

// A few ways through the network: a request, its answer, and what the answer sets off arrive, and
// each may be handled late.
Duration slack_of(const Outcome& outcome) { return 4 * (outcome.longest_delay + lag_of(outcome)); }

}  // namespace

Duration lag_of(const Outcome& outcome) { return outcome.validity.tolerance; }

Time dissolution(const Outcome& outcome) {
  if (!outcome.failure.empty() && outcome.facts.any<agents::RunFailed>())
    return outcome.facts.of<agents::RunFailed>().front().at;
  Time last{};
  for (const TaskOutcome& task : outcome.tasks) {
    if (!task.completed) return outcome.ended;
    last = std::max(last, task.completed_at);
  }
  return outcome.tasks.empty() ? outcome.ended : std::min(last, outcome.ended);
}

Patience patience_of(const Outcome& outcome) {
  const Duration slack = slack_of(outcome);
  if (faultless(outcome) && !outcome.queueing) return {slack, outcome.patience.notice + slack};
  return {outcome.patience.notice + slack, outcome.patience.mend + slack};
}

std::vector<Switch> switches_of(const Outcome& outcome) {
  std::vector<std::pair<Time, Time>> excuses;
  for (const NetworkCut& cut : outcome.cuts) excuses.emplace_back(cut.from, cut.until);
  for (const core::Stall& stall : outcome.stalls) excuses.emplace_back(stall.from, stall.until);
  std::ranges::sort(excuses);
  std::vector<Switch> switches;
  for (const auto& [from, until] : excuses) {
    if (!switches.empty() && from <= switches.back().at) {
      switches.back().at = std::max(switches.back().at, until);
    } else {
      switches.push_back({from, true});
      switches.push_back({until, false});
    }
  }
  return switches;
}

}  // namespace rhizome::scenarios
