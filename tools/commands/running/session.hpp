// The shared parts of commands that run scenarios: reading the arguments, running with progress,
// and writing a run directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/parser.hpp"
#include "tools/cli/command.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/launch/together.hpp"

namespace rhizome::tools {

struct Resumed;

// The options of every command that reads a scenario.
[[nodiscard]] std::vector<Option> scenario_options();
// --engine, which is among them.
[[nodiscard]] Option engine_option();

// The options of running a scenario and --record; and a check of the latter, which records the
// history of runs on threads, by one process, of one cell. Throws UsageError.
[[nodiscard]] std::vector<Option> run_options();
void check_record(const std::vector<scenarios::Cell>& cells, const Arguments& arguments);

// Those, and the options of running one.
[[nodiscard]] std::vector<Option> running_options();
// --jobs and --retry, which are among them; and the value of --retry.
[[nodiscard]] Option jobs_option();
[[nodiscard]] Option retry_option();
[[nodiscard]] std::uint32_t retries_of(const Arguments& arguments);

// The cells of a scenario file under the overrides of the command line and the environment.
[[nodiscard]] std::vector<scenarios::Cell> read_cells(const std::string& file,
                                                      const Arguments& arguments);

// The overrides of the environment, and those of the command line with their short forms.
[[nodiscard]] scenarios::Overrides overrides_of(const Arguments& arguments);

// The rights of a new file that may show all that the scenario holds and names.
[[nodiscard]] mode_t rights_beside(const std::vector<scenarios::Cell>& cells,
                                   const std::string& file);

// The results of a series of runs.
struct Session {
  std::vector<RunFigures> runs;
  std::vector<ClaimResult> claims;
  std::vector<std::string> partial{};  // sentences: why these are not all runs
  bool interrupted = false;
};

// "interrupted after 3 of 20 runs: ...", which stands in the result itself.
[[nodiscard]] std::string partial_text(std::size_t done, std::size_t of);

// Throws for whatever would be refused later: to be called before anything is run or written, by
// each of so many processes.
void check_before_running(const std::vector<scenarios::Cell>& cells, std::uint32_t processes = 1);

// Throws UsageError for options without meaning for these sources: options that change a run if
// there are only stored ones, and --retry if no run can be invalid.
void check_running_options(const std::vector<scenarios::Cell>& cells, const Arguments& arguments);

// Judges the claims of an experiment that is done.
void judge(Session& session, const std::vector<scenarios::Cell>& cells);

// Runs every cell, or the share of the runs that --share names, stores every outcome as it
// finishes, and judges the claims, which only the whole allows. By those processes, where there are
// several.
[[nodiscard]] Session run_session(const std::vector<scenarios::Cell>& cells,
                                  const Arguments& arguments, Together& together);
// The same for what an interrupted experiment lacks.
[[nodiscard]] Session run_session(const std::vector<scenarios::Cell>& cells,
                                  const Arguments& arguments, Together& together,
                                  const Resumed& resumed);

}  // namespace rhizome::tools
