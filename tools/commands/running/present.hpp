// What a command prints of its runs: of a sweep the answer first, then comparisons and claims.
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/metrics.hpp"
#include "tools/cli/command.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

// The metric of that name. Throws UsageError where there is none, or neither less nor more of it is
// better, so that nothing can be best by it.
[[nodiscard]] const scenarios::Metric& ranking_metric(const std::string& name);

// Those of --by, which a sweep is judged by: the makespan where there are none.
[[nodiscard]] std::vector<const scenarios::Metric*> sweep_metrics(const Arguments& arguments);
// Its option.
[[nodiscard]] Option by_option();

// --metrics a,b,c: those that tables show instead of the headlines, in this order; none where it is
// not given. Throws UsageError for what is no metric, and beside --all.
[[nodiscard]] std::vector<const scenarios::Metric*> metrics_shown(const Arguments& arguments);
[[nodiscard]] Option metrics_option();

// Throws UsageError for a metric of --by that ranks nothing, and for --by where nothing is swept:
// to be called before anything is run.
void check_sweep_options(const Arguments& arguments, const std::vector<scenarios::Cell>& cells);

// The verdict on all of it.
[[nodiscard]] Exit exit_of(const Session& session);

// Prints in the format that --output names, and returns the verdict. Without cells, the runs were
// stored.
[[nodiscard]] Exit present(const Session& session, const Arguments& arguments,
                           const std::vector<scenarios::Cell>& cells);

}  // namespace rhizome::tools
