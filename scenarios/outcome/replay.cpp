#include "scenarios/outcome/replay.hpp"

#include <algorithm>

#include "agents/facts.hpp"

namespace rhizome::scenarios {

namespace facts = agents::facts;

namespace {

// A few ways through the network: a request, its answer, and what the answer sets off arrive.
Duration slack_of(const Outcome& outcome) { return 4 * outcome.longest_delay + lag_of(outcome); }

}  // namespace

Duration lag_of(const Outcome& outcome) {
  return std::max(outcome.validity.tolerance, outcome.validity.worst_lag);
}

Time dissolution(const Outcome& outcome) {
  if (!outcome.failure.empty())
    for (const FactOutcome& fact : outcome.facts)
      if (fact.name == facts::run_failed) return fact.at;
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

bool tells_of(const Outcome& outcome, std::string_view name) {
  return std::any_of(outcome.facts.begin(), outcome.facts.end(),
                     [name](const FactOutcome& fact) { return fact.name == name; });
}

std::vector<Switch> switches_of(const Outcome& outcome) {
  std::vector<Switch> switches;
  if (outcome.begun > Time{}) switches = {{Time{}, true}, {outcome.begun, false}};
  for (const NetworkCut& cut : outcome.cuts) {
    if (!switches.empty() && cut.from <= switches.back().at) {
      switches.back().at = std::max(switches.back().at, cut.until);
    } else {
      switches.push_back({cut.from, true});
      switches.push_back({cut.until, false});
    }
  }
  return switches;
}

}  // namespace rhizome::scenarios
