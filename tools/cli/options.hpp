// Options that several commands have, each described once.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

// --output: text, which is the default, or one of these.
[[nodiscard]] Option output_option(const std::vector<std::string>& others);
// --set; `help` tells the effect of a list.
[[nodiscard]] Option set_option(
    std::string help = "override a key; a list or a range such as 3..20 sweeps (repeatable)");
// --repetitions; `help` tells which runs they are, and the default.
[[nodiscard]] Option repetitions_option(std::string help);
[[nodiscard]] Option seed_option();
// --scheduler, by label or use or =LABEL, of which several may be given.
[[nodiscard]] Option schedulers_option();
// --all: everything in a comparison or a sweep.
[[nodiscard]] Option all_option();
// --runs-dir, of a command that reads stored runs.
[[nodiscard]] Option runs_dir_option();
[[nodiscard]] Option quiet_option();

// The options of one list after the other.
[[nodiscard]] std::vector<Option> joined(const std::vector<std::vector<Option>>& lists);

}  // namespace rhizome::tools
