// The figures of a run: what comparisons keep of an outcome, so that a sweep of many runs need not
// hold every fact in memory.
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
  std::string origin;  // the run directory it was read from; empty for a fresh run
  core::Ending ending = core::Ending::limit;
  Validity validity;
  std::string failure;  // of the outcome
  std::size_t violations = 0;
  std::size_t repeated = 0;    // runs put aside for this one, because they were invalid
  std::size_t steered = 0;     // how often somebody who watched it did something to it
  std::string steered_as;      // the scenario that does it again; empty where none is kept
  std::size_t unfinished = 0;  // tasks that never completed, though the run was to last until then
  Duration open_for{0};        // of an open run, which leaves tasks open; 0: it is none
  std::vector<Judged> judged;  // of the outcome
  std::vector<double> values;  // of every metric, in the order of metrics()
};

// Under which the repetitions of a scheduler are put together: its label, and its cell of a sweep.
[[nodiscard]] std::string contestant_name(const Identity& identity);

[[nodiscard]] RunFigures figures_of(const Outcome& outcome, std::string origin = {});

}  // namespace rhizome::tools
