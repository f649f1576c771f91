// A share of an experiment's runs: what run and compare do with --share, for rhizome merge to put
// together.
#pragma once

#include <optional>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/text/run_share.hpp"
#include "tools/cli/command.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

[[nodiscard]] Option share_option();

// Nothing where all is to be run. Throws UsageError for what is no share.
[[nodiscard]] std::optional<scenarios::RunShare> share_in(const Arguments& arguments);

// Throws UsageError where a share would come to nothing: it holds no run, is not to be stored, or
// is asked for what only the whole can tell.
void check_share(const std::vector<scenarios::Cell>& cells, const Arguments& arguments);

// Says on standard error what the runs were a share of; returns their verdict.
[[nodiscard]] Exit present_share(const Session& session, const scenarios::RunShare& share,
                                 const std::vector<scenarios::Cell>& cells);

}  // namespace rhizome::tools
