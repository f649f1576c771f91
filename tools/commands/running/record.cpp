// The kinds of recordings, and their options.
#include <iterator>

#include "scenarios/experiment/experiment.hpp"
#include "scenarios/world/workload/workload.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

std::vector<Option> run_options() {
  std::vector<Option> options = running_options();
  options.insert(std::prev(options.end()), resume_option());
  options.insert(
      std::prev(options.end()),  // --quiet stays the last
      {.name = "record", .help = "keep the history of each run on threads, for rhizome replay"});
  return options;
}

void check_record(const std::vector<scenarios::Cell>& cells, const Arguments& arguments) {
  if (!arguments.has("record")) return;
  if (arguments.has("no-store"))
    throw UsageError("--record keeps histories in the run directory, and --no-store keeps none");
  if (!scenarios::all_in_real_time(cells))
    throw UsageError(
        "--record has no effect here: a run in virtual time does the same again by itself");
  if (cells.size() > 1)
    throw UsageError("--record keeps the runs of one cell, and this is a sweep of " +
                     std::to_string(cells.size()) + ": record one of them");
  if (processes_of(arguments) > 1)
    throw UsageError("--record is for one process: what crosses between several is not recorded");
  for (const std::string name : {"control", "wait"})
    if (arguments.has(name))
      throw UsageError("--record and --" + name +
                       " exclude each other: a network that is cut by hand is not recorded");
  if (scenarios::comes_live(cells.front().scenario.workload))
    throw UsageError("--record: jobs that come through a pipe come once, and no replay has them");
}

}  // namespace rhizome::tools
