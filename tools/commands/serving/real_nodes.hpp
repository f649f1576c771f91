// The options of a server by which the nodes of [provision] are machines of a real cluster.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/cli/command.hpp"
#include "tools/launch/slurm_queue.hpp"
#include "tools/nodes/fleet.hpp"

namespace rhizome::tools {

[[nodiscard]] std::vector<Option> real_node_options();

// The nodes that the options ask for; null if they ask for none. `record`: where the names of Slurm
// jobs are kept. Throws UsageError where the scenario does not suit, NoSlurm where Slurm does not
// answer, and scenarios::CannotWrite.
[[nodiscard]] std::unique_ptr<Fleet> fleet_of(const scenarios::Scenario& scenario,
                                              const std::filesystem::path& record,
                                              const Arguments& arguments);

}  // namespace rhizome::tools
