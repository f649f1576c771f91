// The invariants that every run must keep, checked on its outcome.
#pragma once

#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// Each broken invariant with the peer, the time and the facts that led there:
//   no-task-lost, completes-once, executes-once, conservation, addresses-resolve, comes-to-rest,
//   all-finish, tree, groups. A run that was interrupted is judged by conservation alone.
[[nodiscard]] std::vector<Violation> check_invariants(const Outcome& outcome);

}  // namespace rhizome::scenarios
