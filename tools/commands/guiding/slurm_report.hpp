// The decision that a policy of provisioning would make on a real Slurm cluster now.
#pragma once

#include <cstdint>
#include <string>

#include "agents/provision/plan.hpp"
#include "tools/cli/command.hpp"
#include "tools/launch/slurm_queue.hpp"

namespace rhizome::tools {

[[nodiscard]] std::string text_of(const SlurmQueue& queue);

// The decisions of the plan's policy with so many held nodes: if all tasks of a job are left, as
// many as the policy needs to want the most nodes; and if no task is left. A change above the idle
// nodes is not cut, as in the fact of a run.
[[nodiscard]] std::string decisions_of(const agents::provision::NodePlan& plan, std::uint32_t held,
                                       const SlurmQueue& queue);

// Prints both of the Slurm here and of the scenario that the arguments name, or the first alone.
// Throws UsageError for a scenario without provisioning.
[[nodiscard]] Exit print_slurm(const Arguments& arguments);

}  // namespace rhizome::tools
