#include "scenarios/outcome/failure.hpp"

#include <algorithm>
#include <vector>

namespace rhizome::scenarios {

namespace {

bool undone(const Outcome& outcome) {
  return outcome.unseen > 0 || std::any_of(outcome.tasks.begin(), outcome.tasks.end(),
                                           [](const TaskOutcome& task) { return !task.completed; });
}

}  // namespace

std::string failure_of(const Outcome& outcome) {
  if (outcome.ending == core::Ending::interrupted || !undone(outcome)) return {};
  std::vector<std::pair<std::string, std::size_t>> reasons;  // in order of first mention
  for (const auto& noted : outcome.facts.of<agents::RunFailed>()) {
    // Who gave up while others went on may have come back.
    if (outcome.ending == core::Ending::open && noted.peer != noted.fact.source) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& reason) {
      return reason.first == noted.fact.reason;
    });
    if (known == reasons.end()) {
      reasons.emplace_back(noted.fact.reason, 1);
    } else {
      ++known->second;
    }
  }
  const auto most =
      std::max_element(reasons.begin(), reasons.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == reasons.end() ? std::string() : most->first;
}

}  // namespace rhizome::scenarios
