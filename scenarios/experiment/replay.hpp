// What it takes to run an experiment again from a directory of its own, wherever that is taken to
// and whatever becomes of the files that the scenario named.
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
  std::vector<std::string> assignments;  // KEY=VALUE of the command line, besides those given
  // To be copied: from where, and to where in the directory.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files;
  std::vector<FileRead> read;        // those, and what is not copied
  std::vector<std::string> remarks;  // on files that are too large for that
};

// A single cell is kept as its effective scenario. A sweep is kept as it was written, since no
// single scenario says it all; what was given on the command line must be given again. Files are
// copied up to so many bytes in all; others stay where they are, with what tells them from another
// of the same name.
inline constexpr std::uintmax_t most_copied = std::uintmax_t{64} << 20U;
// Jobs that come through a pipe are to be recorded in the file of that name.
inline constexpr const char* recorded_jobs = "jobs.txt";
[[nodiscard]] Replay replay_of(std::span<const Cell> cells, std::uintmax_t most = most_copied);

}  // namespace rhizome::scenarios
