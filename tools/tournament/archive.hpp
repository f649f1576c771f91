// Figures of runs kept in a file between tournaments, so that a longer one begins where a shorter
// one ended. Text, one run a line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/compare/figures.hpp"
#include "tools/names.hpp"

namespace rhizome::tools {

class Archive {
 public:
  // Reads the runs in the file, if it exists. A last line of ours that breaks off, as after a power
  // cut, is removed. Throws InputError at any other line that is no run of ours, UnreadableFile for
  // a file that is large beyond measure, CannotWrite if the file cannot be written, is no plain
  // file, or is another user's, who might have made up the runs in it.
  explicit Archive(const std::filesystem::path& named);

  // The runs of one scheduler in one cell from the first repetition on, without a gap: only those
  // of the same scenario, options and seed, made by this very program file, with the same files:
  // those that the scenario reads, and programs that its commands name.
  [[nodiscard]] std::vector<RunFigures> find(const Cell& cell, std::size_t scheduler) const;
  // Appended at once. Throws CannotWrite.
  void add(const Cell& cell, std::size_t scheduler, const RunFigures& run);

 private:
  struct Kept {
    core::Ending ending = core::Ending::limit;
    Validity::Level validity = Validity::Level::valid;
    std::size_t violations = 0;
    std::size_t unfinished = 0;
    std::uint64_t seed = 0;
    std::map<std::string, double> values{};  // by metric
  };
  // All that a run depends on, save its repetition; how many go on at a time changes none.
  [[nodiscard]] std::string fingerprint(const Cell& cell, std::size_t scheduler) const;
  void read();
  void take(const std::string& line);

  std::map<std::pair<std::string, std::uint32_t>, Kept> kept_;  // by fingerprint and repetition
  mutable std::map<std::string, std::string> files_;            // their contents, by scenario
  scenarios::OwnLines lines_;
  std::string name_;
};

}  // namespace rhizome::tools
