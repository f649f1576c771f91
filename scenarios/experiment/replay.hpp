// Everything that is needed to run an experiment again from a directory of its own. The directory
// can be moved, and the files that the scenario named may change or vanish.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/text/fingerprint.hpp"

namespace rhizome::scenarios {

struct Replay {
  std::string scenario;                  // the text of scenario.toml
  std::vector<std::string> assignments;  // KEY=VALUE to add to the command line besides those given
  // The files to copy: source, and place in the directory.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files;
  std::vector<FileRead> read;        // the files that are copied, and those that are not
  std::vector<FileRead> programs;    // the files that commands name; none is copied
  std::vector<std::string> remarks;  // on files that are not copied
  // The scenario, all files and programs that it names, and the folders in which these run; "-" is
  // standard input.
  std::vector<std::filesystem::path> sources;
};

// The files that are copied.
struct Copying {
  // `its_folder`: only files in the scenario's folder. A scenario of somebody else may name a file
  // of the user's, which would go along with the run directory under a harmless name.
  enum class From : std::uint8_t { anywhere, its_folder };
  From from = From::anywhere;
  std::uintmax_t most = std::uintmax_t{64} << 20U;  // bytes in all
};

// A single cell is kept as its effective scenario. A sweep is kept as it was written, since no
// single scenario describes it; assignments of the command line must be given again. Files are
// copied up to `most` bytes in all, and not where a link leads out of the scenario's folder
// to them. Other files stay where they are; a fingerprint of each tells it from another file of the
// same name.
// The name of the file in which jobs that come through a pipe are recorded.
inline constexpr const char* recorded_jobs = "jobs.txt";
[[nodiscard]] Replay replay_of(std::span<const Cell> cells, const Copying& copying = {});

// The files and folders that the commands of its schedulers name as whole words, the folders in
// which these run, and the names of programs in PATH. Of a place that is not there, the first
// folder or file on the way to it that is missing. No
// devices but those that others could replace.
[[nodiscard]] std::vector<std::filesystem::path> files_of_schedulers(const Scenario& scenario);

}  // namespace rhizome::scenarios
