// An experiment: every scheduler of every cell, as often as the scenario says. The only place that
// knows engines, agents, links and recorders together.
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
// runs; those of runs under way as they say themselves.
struct ExperimentHooks {
  std::function<void(Outcome&&)> outcome{};
  std::function<void(const Outcome&)> put_aside{};  // it was invalid, and is done again
  // The experiment ended early, by which it was interrupted, or came before its turn: it is not
  // handed over.
  std::function<void(const Outcome&)> broken_off{};
  std::function<void(const std::string&)> remark{};  // once for each different one
  // What other processes had is handed out again, and why: at once, and from any thread.
  std::function<void(const std::string&)> news{};
  RunHooks runs{};
};

class DistributedRun;

// How much of an experiment is done, and with what.
struct Extent {
  const std::atomic<bool>* stop = nullptr;  // ends it early once it is true
  std::uint32_t first = 0;     // repetitions before it are left out: an earlier call has done them
  std::uint32_t retries = 0;   // how often a run on threads is done again while it is invalid
  RunShare share{};            // of the runs: other machines do the rest
  std::size_t done = 0;        // the first so many of these are there already, and left out
  Helpers* helpers = nullptr;  // with runs in virtual time, if all of them are; none: this one only
  DistributedRun* distributed_run = nullptr;  // who does runs on threads; none: this process alone
  RecordingTarget recording{};  // where runs on threads are recorded, which this process does alone
};

// Whether any of them runs in real time, where a run may turn out invalid.
[[nodiscard]] bool any_in_real_time(std::span<const Cell> cells);
[[nodiscard]] bool all_in_real_time(std::span<const Cell> cells);

[[nodiscard]] std::size_t count_runs(std::span<const Cell> cells);
// Which run each of them is, in their order.
[[nodiscard]] std::vector<Identity> identities_of(std::span<const Cell> cells);

// Builds the world of every run for every scheduler, so that nothing is refused once something has
// been run or written. Throws InputError, UnreadableFile or core::LimitExceeded. Gives up once
// `stop` is true. Whether peers are too many for threads is asked of one process only: of several,
// each looks when it knows its share.
void check_beforehand(std::span<const Cell> cells, const std::atomic<bool>* stop = nullptr,
                      std::uint32_t processes = 1);

// A scheduler runs once for all cells that differ in nothing that concerns it, as in the options of
// another; its outcomes are of no cell, or of the part of one that does concern it.
//
// Runs cell by cell, repetition by repetition, scheduler by scheduler, so that an interrupted
// experiment has complete pairs. Runs in virtual time go on several threads at once; their outcomes
// come in order all the same. Returns false when it was ended early; the run then under way is not
// handed over. The cells should have been checked beforehand; what is wrong with the first shows
// before it is run.
bool run_experiment(std::span<const Cell> cells, const ExperimentHooks& hooks,
                    const Extent& extent = {});

// Does runs of the same experiment for process 0, all of them in virtual time, until it has no more
// to do. False where that is lost, or this was told to stop.
bool help_with_experiment(std::span<const Cell> cells, core::Mesh& mesh, const Packing& packing,
                          const Extent& extent = {});

// Runs what an experiment has prepared, and reports on all its peers.
using Performer = std::function<core::EngineReport(const overlay::Graph&, core::EngineSetup,
                                                   const core::Observer&)>;

// One run, by the engine that the scenario names unless somebody else performs it; recorded where
// that engine is of threads.
[[nodiscard]] Outcome run_once(const Cell& cell, std::size_t scheduler, std::uint32_t repetition,
                               const core::Observer& observer, std::vector<std::string>* remarks,
                               const Performer& performer = {},
                               const RecordingTarget& recording = {});

}  // namespace rhizome::scenarios
