// What a command prints about its runs: for a sweep the answer first, then comparisons and claims.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "tools/cli/command.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

// The metric of that name. Throws UsageError if there is none, or if neither less nor more of it is
// better, so that it cannot rank settings.
[[nodiscard]] const scenarios::Metric& ranking_metric(const std::string& name);

// The metrics of --by, which the table of a sweep shows; the makespan if --by is not given.
[[nodiscard]] std::vector<const scenarios::Metric*> sweep_metrics(const Arguments& arguments);
// The option --by.
[[nodiscard]] Option by_option();

// The metrics of --metrics a,b,c, in this order: tables show them instead of the headlines. Empty
// if the option is not given. Throws UsageError for an unknown metric, and if --all is given too.
[[nodiscard]] std::vector<const scenarios::Metric*> metrics_shown(const Arguments& arguments);
[[nodiscard]] Option metrics_option();

// Throws UsageError for an unknown metric of --by or --metrics, and for --by without a sweep. To be
// called before the first run.
void check_sweep_options(const Arguments& arguments, const std::vector<scenarios::Cell>& cells);

// The verdict on the whole session.
[[nodiscard]] Exit exit_of(const Session& session);

// Prints in the format that --output names, and returns the verdict. `cells` is empty if the runs
// were read from the store.
[[nodiscard]] Exit present(const Session& session, const Arguments& arguments,
                           const std::vector<scenarios::Cell>& cells);

}  // namespace rhizome::tools
