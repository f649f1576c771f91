// A run writer: writes the run directory of a command's runs, unless the user has asked for none.
//
// To repeat the runs, the directory records a command for its `scenario.toml`, with the overrides
// that a single scenario cannot hold.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/experiment/distributed_run.hpp"
#include "scenarios/experiment/replay.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/fingerprint.hpp"
#include "scenarios/text/run_share.hpp"
#include "tools/cli/command.hpp"
#include "tools/compare/figures.hpp"

namespace rhizome::tools {

// The options --runs-dir and --no-store.
[[nodiscard]] std::vector<Option> keeping_options();
// Throws UsageError where both are given, of which one has no effect.
void check_keeping(const Arguments& arguments);

// How runs are kept.
struct Keeping {
  bool store = true;
  std::filesystem::path root = "runs";  // the parent of the run directory
  std::string command;  // repeats the runs of `scenario.toml`, without overrides and share
  scenarios::Overrides overrides;                // the overrides with which the cells were read
  std::optional<scenarios::RunShare> share{};    // none: all runs
  std::vector<std::string> options{};            // as in the record of the order
  scenarios::Copying copying{};                  // of the files that the scenario names
  std::vector<std::filesystem::path> sources{};  // further files whose readers may read the run
  std::vector<scenarios::FileRead> read{};       // files that the command names; none is copied
};

// The initial contents of a run directory for these cells, and remarks on it.
struct DirectoryPlan {
  scenarios::DirectoryOptions directory;
  std::vector<std::string> remarks;
};
[[nodiscard]] DirectoryPlan plan_of(const std::vector<scenarios::Cell>& cells,
                                    const Keeping& keeping);

// An interrupted experiment that is resumed in its own directory.
struct Resumed {
  std::filesystem::path path;
  scenarios::RunRecord record;
  std::vector<RunFigures> runs;  // the finished ones: the first of the experiment
  // The share of the runs that the directory holds; none: all runs.
  [[nodiscard]] std::optional<scenarios::RunShare> share() const { return record.order->share; }
};

class RunWriter {
 public:
  // For the cells of one scenario.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Keeping& keeping);
  // Takes the settings from the arguments of a command; `read`: as in Keeping.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Arguments& arguments,
            const std::string& command, const std::vector<scenarios::FileRead>& read = {});
  // Adds to an existing directory, which is open from the beginning.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Resumed& resumed);

  // Makes the directory now, so that an error shows before the first run. Otherwise the first
  // outcome makes it.
  void open();
  // The absolute path of the directory; empty if it is not open.
  [[nodiscard]] std::string place() const;
  // Copies of the cells; if the directory is open, their runs record jobs into it.
  [[nodiscard]] std::vector<scenarios::Cell> recorded(std::vector<scenarios::Cell> cells) const;
  // Stores an outcome. For a run that was steered by hand, also stores a file that repeats it and
  // names this file in the outcome; an existing such file is copied.
  void add(scenarios::Outcome& outcome);
  // For an interrupted run, which is not stored, keeps only the file that repeats its steering.
  void add_broken_off(const scenarios::Outcome& outcome);
  // Adds a remark to the record, each text once.
  void remark(const std::string& text);
  // Adds to the record where the shares of the whole experiment were run.
  void put_together_from(const std::vector<scenarios::PartRecord>& parts);
  // Adds to the record what monitors received.
  void watched(const scenarios::Watched& by);
  // Adds to the record which processes did the runs, and how they were launched.
  void done_by(const std::vector<scenarios::Member>& members,
               const std::optional<scenarios::LaunchRecord>& launch);
  // Writes the verdict, and tells where the directory is.
  void conclude(const std::string& verdict);

 private:
  std::optional<scenarios::DirectoryOptions> plan_;  // none: no directory is kept
  // Returns the name of the file.
  [[nodiscard]] std::string keep_steered(const scenarios::Outcome& outcome);

  const std::vector<scenarios::Cell> cells_;
  std::vector<std::string> remarks_;
  std::vector<std::string> steered_;  // messages about steered runs
  std::optional<scenarios::RunDirectory> directory_;
};

}  // namespace rhizome::tools
