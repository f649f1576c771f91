// The figures of a run: the part of an outcome that comparisons need, so that a sweep of many runs
// need not hold every fact in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

struct RunFigures {
  Identity identity;
  std::string origin;  // the run directory that it was read from; empty for a fresh run
  core::Ending ending = core::Ending::limit;
  Validity validity;
  std::string failure;  // of the outcome
  std::size_t violations = 0;
  std::size_t repeated = 0;    // how many invalid runs this one replaces
  std::size_t steered = 0;     // how many faults a user caused by hand
  std::string steered_as;      // the scenario that repeats a steered run; empty if not kept
  std::size_t unfinished = 0;  // tasks that never completed, in a run that is not open
  Duration open_for{0};        // duration of an open run, which may leave tasks open; 0: not open
  std::vector<Judged> judged;  // of the outcome
  std::vector<double> values;  // by metric, in the order of metrics()
};

// The name under which the repetitions of a scheduler are put together: its label and its cell of
// the sweep.
[[nodiscard]] std::string contestant_name(const Identity& identity);

[[nodiscard]] RunFigures figures_of(const Outcome& outcome, std::string origin = {});

}  // namespace rhizome::tools
