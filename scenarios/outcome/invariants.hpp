// The invariants that every run must keep, checked on its outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Each broken invariant with the peer, the time and the facts that led there:
//   conservation       sent + duplicated = received + dropped + in flight
//   addresses-resolve  nothing was sent to a peer that does not exist
//   no-task-lost       every task of the workload completed
//   completes-once     no task completed twice at its source; where no fault excuses it and the
//                      scheduler does not say at-least-once, none was delivered or executed twice
//   comes-to-rest      nothing is armed or running after the end
//   all-finish         every living peer said that it had finished
//   tree               one root, no cycle, living parents; only if there are facts about trees
//   groups             leaders connected, every worker's leader leads; only if there are such facts
// At most ten of each: the first ones tell what went wrong. A run that was interrupted is judged by
// the first two alone.
[[nodiscard]] std::vector<Violation> check_invariants(const Outcome& outcome);

}  // namespace rhizome::scenarios
