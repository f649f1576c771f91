// An experiment: runs every scheduler of every cell, as often as the scenario says. Only here
// engines, agents, links and recorders come together.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>

#include "scenarios/experiment/helpers.hpp"
#include "scenarios/experiment/recorded_run.hpp"
#include "scenarios/experiment/under_way.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/text/run_share.hpp"

namespace rhizome::scenarios {

// `outcome` and `remark` are called from the thread that called run_experiment, in the order of the
// runs. RunHooks says which threads call the hooks of runs under way.
struct ExperimentHooks {
  std::function<void(Outcome&&)> outcome{};
  std::function<void(const Outcome&)> put_aside{};  // of an invalid run that is done again
  // Called where the experiment ended early: the run was interrupted, or ended before its turn. Its
  // outcome is not handed over.
  std::function<void(const Outcome&)> broken_off{};
  std::function<void(const std::string&)> remark{};  // once for each different text
  // Reports that runs of another process are handed out again, and why. Called at once, and from
  // any thread.
  std::function<void(const std::string&)> news{};
  RunHooks runs{};
};

class DistributedRun;

// How much of an experiment is done, and with what.
struct Extent {
  const std::atomic<bool>* stop = nullptr;  // ends it early once it is true
  std::uint32_t first = 0;    // the first repetition; an earlier call has done those before it
  std::uint32_t retries = 0;  // how often a run on threads is done again while it is invalid
  RunShare share{};           // of the runs; other machines do the rest
  std::size_t done = 0;  // so many of the first runs of the share are done already, and left out
  // For runs in virtual time, if all runs are; none: only this process runs.
  Helpers* helpers = nullptr;
  DistributedRun* distributed_run = nullptr;  // for runs on threads; none: only this process runs
  RecordingTarget recording{};                // for runs on threads that this process does alone
};

// Whether any cell runs in real time, where a run may turn out invalid.
[[nodiscard]] bool any_in_real_time(std::span<const Cell> cells);
[[nodiscard]] bool all_in_real_time(std::span<const Cell> cells);

[[nodiscard]] std::size_t count_runs(std::span<const Cell> cells);
// The identity of each run, in the order of the runs.
[[nodiscard]] std::vector<Identity> identities_of(std::span<const Cell> cells);

struct Surroundings;

// Options of a check before an experiment, and its observer.
struct Beforehand {
  std::uint32_t processes = 1;
  std::uint32_t repetitions = ~0U;  // of each cell, at most so many
  // Called for each repetition of each cell, with its surroundings.
  std::function<void(const Cell&, std::uint32_t repetition, const Surroundings&)> seen{};
  // Asked after each cell; once it is true, no more cells are looked at. Each may read files anew.
  std::function<bool()> enough{};
};

// Builds the world of every run for every scheduler, so that no input is refused after a run was
// done or a file was written. Throws InputError, UnreadableFile or core::LimitExceeded. Whether
// there are more peers than threads allow is checked here only for one process; where there are
// several, each process checks it once it knows its share.
void check_beforehand(std::span<const Cell> cells, const Beforehand& how = {});

// A scheduler runs once for all cells that differ only in settings that do not concern it, such as
// the options of another scheduler. The identity of such an outcome holds only the choices of the
// sweep that concern the scheduler.
//
// Runs cell by cell, repetition by repetition, scheduler by scheduler, so that an interrupted
// experiment has complete pairs. Runs in virtual time go on several threads at once; their outcomes
// come in order all the same. Returns false when it was ended early; the run then under way is not
// handed over. The caller should have checked the cells with check_beforehand(); an error in the
// first cell shows before that cell is run.
bool run_experiment(std::span<const Cell> cells, const ExperimentHooks& hooks,
                    const Extent& extent = {});

// Does runs of the same experiment for process 0, all of them in virtual time, until process 0 has
// no more runs. Returns false where process 0 is lost, or `stop` ended the help early.
bool help_with_experiment(std::span<const Cell> cells, core::Mesh& mesh, const Packing& packing,
                          const Extent& extent = {});

// Executes a run that an experiment has prepared, and reports on all its peers.
using Performer = std::function<core::EngineReport(const agents::World&, core::EngineSetup,
                                                   const core::Observer&)>;

// Does one run, by `performer` or else by the engine that the scenario names. The run is recorded
// where that engine runs on threads.
[[nodiscard]] Outcome run_once(const Cell& cell, std::size_t scheduler, std::uint32_t repetition,
                               const core::Observer& observer, std::vector<std::string>* remarks,
                               const Performer& performer = {},
                               const RecordingTarget& recording = {});

}  // namespace rhizome::scenarios
