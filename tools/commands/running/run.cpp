#include <fmt/core.h>

#include "scenarios/experiment/experiment.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

// Prints on standard error which share the runs were; returns their verdict.
Exit present_share(const Session& session, const scenarios::RunShare& share,
                   const std::vector<scenarios::Cell>& cells) {
  tell(fmt::format("Share {}: {} of {} runs; rhizome merge puts all shares together", share.text(),
                   session.runs.size(), scenarios::count_runs(cells)));
  return exit_of(session);
}

Exit go_on(const Arguments& now) {
  const Resumption resumption = resume(now);
  const Arguments& arguments = resumption.arguments;
  const std::vector<scenarios::Cell>& cells = resumption.cells;
  check_running_options(cells, arguments);
  check_sweep_options(arguments, cells);
  check_before_running(cells);
  Together together(arguments, cells);
  const Session session = run_session(cells, arguments, together, resumption.resumed);
  if (const auto share = resumption.resumed.share()) return present_share(session, *share, cells);
  return present(session, arguments, cells);
}

}  // namespace

Exit run_command(const Arguments& arguments) {
  if (arguments.has("resume")) return go_on(arguments);
  const auto cells = read_cells(arguments.positional().front(), arguments);
  check_running_options(cells, arguments);
  check_record(cells, arguments);
  check_sweep_options(arguments, cells);
  check_before_running(cells, processes_of(arguments));
  Together together(arguments, cells);
  if (together.follows()) return together.follow();
  const Session session = run_session(cells, arguments, together);
  if (const auto share = share_in(arguments)) return present_share(session, *share, cells);
  return present(session, arguments, cells);
}

}  // namespace rhizome::tools
