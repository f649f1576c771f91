// A run as a trace that Perfetto and Chrome's viewer open (the Trace Event Format): a process for
// each peer, a thread for each lane of it, instants for moves and faults, counters for traffic,
// and flows for messages where the run kept a log of them.
#pragma once

#include <string>

#include "scenarios/outcome/outcome.hpp"
#include "tools/chart/chart.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

[[nodiscard]] std::string trace_of(const Outcome& outcome);

// The schedule as one picture, in the manner of Peterson's dissertation, figures 5.11, 5.15 and
// 5.16: peers down, time across, executions coloured by job (by task where there is one job), moves
// in the tree as ticks.
[[nodiscard]] Chart schedule_of(const Outcome& outcome);

}  // namespace rhizome::tools
