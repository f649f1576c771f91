// A run writer: the run directory that a command makes of its runs, unless it was asked not to.
//
// What runs them again is a command for `scenario.toml` in that directory, with the overrides that
// no single scenario can hold.
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
#include "scenarios/text/run_share.hpp"
#include "tools/cli/command.hpp"
#include "tools/compare/figures.hpp"

namespace rhizome::tools {

// --runs-dir and --no-store.
[[nodiscard]] std::vector<Option> keeping_options();

// How runs are to be kept.
struct Keeping {
  bool store = true;
  std::filesystem::path root = "runs";  // where the directory is to be
  std::string command;                  // runs `scenario.toml` again, but for overrides and share
  scenarios::Overrides overrides;       // with which the cells were read
  std::optional<scenarios::RunShare> share{};  // none: all runs
};

// An interrupted experiment that goes on in its own directory.
struct Resumed {
  std::filesystem::path path;
  scenarios::RunRecord record;
  std::vector<RunFigures> runs;  // that it had finished: the first of all
  // Of the runs, that the directory holds; none: all of them.
  [[nodiscard]] std::optional<scenarios::RunShare> share() const { return record.order->share; }
};

class RunWriter {
 public:
  // For the cells of one scenario.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Keeping& keeping);
  // As the arguments of a command say.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Arguments& arguments,
            const std::string& command);
  // One that adds to a directory, which is open from the beginning.
  RunWriter(const std::vector<scenarios::Cell>& cells, const Resumed& resumed);

  // Makes the directory, so that what forbids it shows before anything is run. Else the first
  // outcome makes it.
  void open();
  // Where it is, from the root on; empty unless it is open.
  [[nodiscard]] std::string place() const;
  // The same cells, with what they are to write into the directory while they run, if it is open.
  [[nodiscard]] std::vector<scenarios::Cell> recorded(std::vector<scenarios::Cell> cells) const;
  // Of a run that was steered, it says in the outcome which file does it again; if there is such a
  // file already, it is copied.
  void add(scenarios::Outcome& outcome);
  // Of one that is not to be stored, because it was broken off, keeps how it was steered.
  void add_broken_off(const scenarios::Outcome& outcome);
  // For the record: each once.
  void remark(const std::string& text);
  // For the record: where shares of the whole were run.
  void put_together_from(const std::vector<scenarios::PartRecord>& parts);
  // For the record: what monitors took.
  void watched(const scenarios::Watched& by);
  // For the record: which processes did the runs, and who began them.
  void done_by(const std::vector<scenarios::Member>& members,
               const std::optional<scenarios::LaunchRecord>& launch);
  // Writes the verdict, and says where it all is.
  void conclude(const std::string& verdict);

 private:
  std::optional<scenarios::DirectoryOptions> plan_;  // none: nothing is to be kept
  // Returns the file.
  [[nodiscard]] std::string keep_steered(const scenarios::Outcome& outcome);

  const std::vector<scenarios::Cell> cells_;
  std::vector<std::string> remarks_;
  std::vector<std::string> steered_;  // what is to be told of steered runs
  std::optional<scenarios::RunDirectory> directory_;
};

}  // namespace rhizome::tools
