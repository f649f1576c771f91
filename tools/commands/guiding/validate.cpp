#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/experiment/effort.hpp"
#include "scenarios/experiment/experiment.hpp"
#include "scenarios/experiment/memory.hpp"
#include "scenarios/format/effective.hpp"
#include "scenarios/format/unsaid.hpp"
#include "scenarios/world/workload/wfformat.hpp"
#include "tools/cli/result_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/session.hpp"

namespace rhizome::tools {

namespace {

std::string shape_text(const agents::GraphShape& shape) {
  if (shape.edges == 0) return {};
  return fmt::format(
      "tasks need each other: {} dependencies with {:.6g} bytes; the longest chain has {} tasks, "
      "the critical path takes {:.6g} s at speed 1, and the widest level has {} tasks",
      shape.edges, shape.bytes, shape.depth, core::seconds(shape.critical_path), shape.width);
}

// A user knows what is handed in and how it may grow; that it comes to so much is told here only.
std::string growth_text(const agents::Profile& profile) {
  if (!profile.grows()) return {};
  return fmt::format(
      "the work is not known beforehand: {} tasks are handed in, and others add {} when they are "
      "done, drawn from the seed of the repetition; no scheduler but the bounds knows of a task "
      "before it is added",
      profile.tasks - profile.added, profile.added);
}

// The first job whose tasks need each other; the first of all where there is none.
void write_workflow(const agents::OpenArrivals& open, const std::string& file) {
  const auto arrivals = open();
  std::optional<agents::Job> job = arrivals->next();
  while (job && job->dependencies.empty())
    if (auto next = arrivals->next())
      job = std::move(next);
    else
      break;
  if (job) write_result(file, scenarios::text_of(scenarios::wfformat_of(*job)));
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

Exit validate_command(const Arguments& arguments) {
  for (const std::string& file : arguments.positional()) {
    const auto cells = read_cells(file, arguments);
    check_before_running(cells);
    const scenarios::Scenario& first = cells.front().scenario;
    const auto around = scenarios::make_surroundings(first, scenarios::repetition_seed(first, 0));
    const scenarios::Scenario complete = scenarios::complete(first, around.world);
    const auto need =
        scenarios::memory_of_run(first, scenarios::work_in(complete, around.world.profile));
    const auto& profile = around.world.profile;
    std::fputs(
        fmt::format("# {}: valid; {}, {}, {}, {}{} of {}, {}, at least {} of memory a run\n", file,
                    counted(cells.size(), "cell"), counted(scenarios::count_runs(cells), "run"),
                    counted(around.world.peers(), "peer"), around.world.live ? "at most " : "",
                    counted(profile.jobs, "job"), counted(profile.tasks, "task"),
                    counted(around.faults.size(), "fault"), scenarios::memory_text(need.bytes()))
            .c_str(),
        stdout);
    if (const auto graphs = shape_text(around.world.profile.graphs); !graphs.empty())
      std::printf("# %s\n", graphs.c_str());
    if (const auto growth = growth_text(around.world.profile); !growth.empty())
      std::printf("# %s\n", growth.c_str());
    for (const std::string& remark : around.remarks) std::printf("# %s\n", remark.c_str());
    for (const scenarios::Effort& effort : scenarios::efforts_of(complete, around.world))
      std::printf("# a run of %s: %s\n", effort.label.c_str(), text_of(effort).c_str());
    if (const auto pace = scenarios::remark_on_pace(around.world); !pace.empty())
      std::printf("# %s\n", pace.c_str());
    if (const auto workflow = arguments.text("workflow"))
      write_workflow(around.world.arrivals, *workflow);
    std::fputs(scenarios::effective_toml(complete).c_str(), stdout);
  }
  return Exit::holds;
}

}  // namespace rhizome::tools
