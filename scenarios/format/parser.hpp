// Parses a scenario file and its overrides into the scenarios that it spans.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/scheduler.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

// Values from outside the file. Precedence: defaults < file < environment < command line.
struct Overrides {
  std::string environment{};                // of RHIZOME_SET: "key=value;key=value"
  std::vector<std::string> command_line{};  // of --set: "key=value" each
  // Of --scheduler: run only these, by label or use; empty: all. Claims about others are not
  // judged.
  std::vector<std::string> schedulers{};
};

// One cell for a scenario without lists, else the whole matrix, in the order of the file. Throws
// InputError with file:line:column for anything wrong, and for a key that has no effect.
[[nodiscard]] std::vector<Cell> load_scenario(
    const std::filesystem::path& file, const Overrides& overrides = {},
    std::span<const agents::Scheduler> schedulers = agents::catalogue());

// The scenario that a run directory keeps. The directory may be a stranger's: a link, a pipe or a
// device in its place is not read.
[[nodiscard]] std::vector<Cell> load_kept_scenario(const std::filesystem::path& directory,
                                                   const Overrides& overrides);

// The same from text; files that it names are relative to `name`.
[[nodiscard]] std::vector<Cell> parse_scenario(
    std::string_view text, const std::string& name, const Overrides& overrides = {},
    std::span<const agents::Scheduler> schedulers = agents::catalogue());

}  // namespace rhizome::scenarios
