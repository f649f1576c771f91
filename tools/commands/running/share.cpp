#include "tools/commands/running/share.hpp"

#include <fmt/core.h>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/present.hpp"

namespace rhizome::tools {

using scenarios::RunShare;

Option share_option() {
  return {.name = "share",
          .value = "I/N",
          .help = "do only share I of N of the runs, from 0, for rhizome merge to put together"};
}

std::optional<RunShare> share_in(const Arguments& arguments) {
  const auto given = arguments.text("share");
  if (!given) return {};
  if (const auto share = scenarios::run_share_of(*given)) return share;
  throw UsageError("--share is I/N, such as 0/4 to 3/4, and not \"" + *given + "\"");
}

void check_share(const std::vector<scenarios::Cell>& cells, const Arguments& arguments) {
  const auto share = share_in(arguments);
  if (!share || cells.empty()) return;
  if (arguments.has("no-store"))
    throw UsageError("--no-store: a share is stored, for rhizome merge to put together");
  for (const std::string name : {"output", "all", "metrics", "by"})
    if (arguments.has(name))
      throw UsageError("--" + name + " has no effect on a share: rhizome merge shows the whole");
  const std::size_t runs = scenarios::count_runs(cells);
  if (share->size(runs) == 0)
    throw UsageError(fmt::format("--share {} holds no run: there are {}", share->text(), runs));
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--share: jobs that come through a pipe come once, to one machine");
}

Exit present_share(const Session& session, const RunShare& share,
                   const std::vector<scenarios::Cell>& cells) {
  tell(fmt::format("Share {}: {} of {} runs; rhizome merge puts all shares together", share.text(),
                   session.runs.size(), scenarios::count_runs(cells)));
  return exit_of(session);
}

}  // namespace rhizome::tools
