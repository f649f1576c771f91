// The figures of a run: the part of an outcome that comparisons need, so that a sweep of many runs
// need not hold every fact in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct RunFigures {
  Identity identity;
  std::string origin{};  // the run directory that it was read from; empty for a fresh run
  core::Ending ending = core::Ending::limit;
  Validity validity;
  std::string failure{};  // that of the outcome
  std::size_t violations = 0;
  std::size_t repeated = 0;      // how many invalid runs this one replaces
  std::size_t steered = 0;       // how many faults a user caused by hand
  std::string steered_as{};      // the scenario that repeats a steered run; empty if not kept
  std::size_t unfinished = 0;    // tasks that never completed, in a run that is not open
  bool lost = false;             // a process was lost
  bool results_known = true;     // as of the outcome
  Duration open_for{0};          // duration of an open run, which may leave tasks open; 0: not open
  std::vector<Judged> judged{};  // that of the outcome
  std::vector<double> values{};  // of every metric, in the order of metrics()
};

// The name under which the repetitions of a scheduler are put together: its label and its cell of
// the sweep.
[[nodiscard]] std::string contestant_name(const Identity& identity);

[[nodiscard]] RunFigures figures_of(const Outcome& outcome, std::string origin = {});

// Completes the cells of a sweep for comparisons. If a swept option concerns another scheduler
// only, a scheduler has run once for all cells of that option, and is put into each of them.
// The runs with complete cells: a run that stands for several cells occurs in each of them. Within
// a cell, schedulers keep the order of their first runs. A cell is left out if an interrupt has
// left a scheduler that belongs there without runs. Throws UnreadableFile for a sweep that makes
// more of its runs than memory has room for.
[[nodiscard]] std::vector<RunFigures> in_every_cell(std::span<const RunFigures> runs);

}  // namespace rhizome::tools
