// What the options --from and --until of a report name: a span of time of a run that served.
#pragma once

#include <vector>

#include "scenarios/store/directory.hpp"
#include "tools/cli/command.hpp"
#include "tools/report/served.hpp"

namespace rhizome::tools {

[[nodiscard]] std::vector<Option> span_options();
[[nodiscard]] bool has_span(const Arguments& arguments);

// Throws UsageError where the options name no span of the run, or it did not serve, and
// scenarios::UnreadableFile where the store of its jobs is not there.
[[nodiscard]] ServedReport served_report(const scenarios::StoredRun& run,
                                         const Arguments& arguments);

}  // namespace rhizome::tools
