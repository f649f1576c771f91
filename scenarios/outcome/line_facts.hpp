// The facts that engines note about access lines when a run has ended, last of all.
#pragma once

#include <algorithm>

#include "core/peer/access.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

[[nodiscard]] inline bool is_line_fact(const FactOutcome& fact) {
  return fact.name == core::uplink_used || fact.name == core::downlink_used ||
         fact.name == core::uplink_waited || fact.name == core::downlink_waited;
}

// Calls f(fact) for each.
template <class F>
void for_line_facts(const Outcome& outcome, F f) {
  for (auto fact = outcome.facts.rbegin();
       fact != outcome.facts.rend() && fact->at >= outcome.ended; ++fact)
    if (is_line_fact(*fact)) f(*fact);
}

// The longest that a packet waited for others at one line.
[[nodiscard]] inline Duration longest_line_wait(const Outcome& outcome) {
  Duration longest{0};
  for_line_facts(outcome, [&](const FactOutcome& fact) {
    if (fact.name == core::uplink_waited || fact.name == core::downlink_waited)
      longest = std::max(longest, Duration(static_cast<std::int64_t>(fact.subject)));
  });
  return longest;
}

}  // namespace rhizome::scenarios
