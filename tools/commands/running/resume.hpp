// Resumes an interrupted experiment: finished runs are kept, and the rest is run into the same
// directory, with the scenario as it was read the first time.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/store/directory.hpp"
#include "tools/cli/command.hpp"
#include "tools/commands/running/run_writer.hpp"

namespace rhizome::tools {

[[nodiscard]] Option resume_option();

// The options of a run that still hold when it is resumed, as words of a command line: how often an
// invalid run is done again, and how the result is presented.
[[nodiscard]] std::vector<std::string> lasting_options(const Arguments& arguments);

struct Resumption {
  std::vector<scenarios::Cell> cells;
  Resumed resumed;
  // The arguments of this call, and the lasting options of the first call that are not repeated.
  Arguments arguments;
};

// Resumes the run that the first argument names. Throws UsageError for a run that has ended or is
// under way and for options that would change it, and UnreadableFile for a run that does not match
// its scenario.
[[nodiscard]] Resumption resume(const Arguments& arguments);

// The scenario of a stored run, read as it was the first time.
[[nodiscard]] std::vector<scenarios::Cell> cells_as_read(const scenarios::StoredRun& run);

// The newest run directory below the root of `keeping` that holds all runs of this experiment or
// the first of them, done by this very program from the same files; nothing where there is none, or
// a process runs into it.
[[nodiscard]] std::optional<scenarios::StoredRun> stored_before(
    const std::vector<scenarios::Cell>& cells, const Keeping& keeping);

}  // namespace rhizome::tools
