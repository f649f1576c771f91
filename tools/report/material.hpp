// The input of a report: stored outcomes, summarised scheduler by scheduler, so that a run of many
// repetitions is never whole in memory.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "scenarios/outcome/responses.hpp"
#include "scenarios/store/directory.hpp"
#include "tools/bill/bill.hpp"
#include "tools/chart/chart.hpp"
#include "tools/compare/figures.hpp"
#include "tools/compare/judgement.hpp"
#include "tools/fate/fate.hpp"
#include "tools/names.hpp"
#include "tools/sweep/sweep.hpp"

namespace rhizome::tools {

// One scheduler in one cell of one run, over its repetitions.
struct Contestant {
  std::string name;  // label and cell, and whether runs were invalid, failed or steered
  // By repetition: when each task completed, in seconds, ascending; and how many there were.
  std::vector<std::vector<double>> completions;
  std::vector<std::size_t> tasks;
  std::vector<scenarios::Responses> responses{};  // by repetition
  // By class and repetition: messages that each peer sent and received, descending.
  std::array<std::vector<std::vector<double>>, core::message_classes> burdens;
  std::size_t invalid = 0;  // repetitions
  std::size_t failed = 0;   // repetitions
  std::size_t steered = 0;  // repetitions
  Fate fate;                // of all of them
  Bill bill;                // of the first repetition, as those below
  std::string structure{};  // in a sentence; empty where the run had none
  std::string tree_svg;
  double ended = 0;  // seconds
  Chart schedule;
  std::size_t executions = 0;
};

// One run directory.
struct Material {
  std::string name;
  std::string scenario;  // the text of scenario.toml
  std::string again;     // the command that does all runs again; empty: none of ours
  RunRecord record;
  std::vector<RunFigures> runs;
  std::vector<Contestant> contestants;  // none where more than one cell was swept
  std::vector<Sweep> sweeps{};          // by metric; none where there is one cell
  std::vector<ClaimResult> claims{};    // of the scenario, judged in every cell
  std::string description{};            // of the scenario; empty where it has none
};

// Reads every outcome of the store, one at a time. A sweep is judged by `metrics`, which have a
// better side. Throws as open_run does.
[[nodiscard]] Material gather(const StoredRun& run, std::span<const Metric* const> metrics);

}  // namespace rhizome::tools
