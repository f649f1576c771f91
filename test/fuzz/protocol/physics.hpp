// Laws that no run can break, under any scheduler, as far as its stored outcome tells: the checks
// read nothing else, and share no code with the invariants.
#pragma once

#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::fuzz {

// Each impossibility as a sentence, the first of each kind:
//   - a task ends where it did not begin, before it was handed in, or after its result was known
//   - it had less service than it takes there, or more than there was time
//   - a peer gave more service in some span of time than its slots have
//   - a task began, anywhere and at any try, before one that it needs had been executed
//   - `calm`: a task was at two places at a time
[[nodiscard]] std::vector<std::string> impossibilities(const scenarios::Outcome& outcome,
                                                       bool calm);

}  // namespace rhizome::fuzz
