// Options that several commands have, each described once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/peer/time.hpp"
#include "scenarios/text/duration_text.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// --output: text, which is the default, or one of these.
[[nodiscard]] Option output_option(const std::vector<std::string>& others);
// --set; `help` tells the effect of a list.
[[nodiscard]] Option set_option(
    std::string help = "override a key; a list or a range such as 3..20 sweeps (repeatable)");
// --repetitions; `help` tells which runs they are, and the default.
[[nodiscard]] Option repetitions_option(std::string help);
[[nodiscard]] Option seed_option();
// --scheduler, by label or use or =LABEL, of which several may be given.
[[nodiscard]] Option schedulers_option();
// --all: everything in a comparison or a sweep.
[[nodiscard]] Option all_option();
// --runs-dir, of a command that reads stored runs.
[[nodiscard]] Option runs_dir_option();
// The folder that the option names, and else `usual`, in which run directories are made, read or
// removed.
// Throws UsageError where the user has not named it and a link stands there: an archive may have
// brought it along, and it may lead anywhere.
[[nodiscard]] std::filesystem::path runs_folder(const Arguments& arguments,
                                                const std::string& option = "runs-dir",
                                                const std::filesystem::path& usual = "runs");
[[nodiscard]] Option quiet_option();
// Lifts the limits of memory and time of what is read.
[[nodiscard]] Option trusted_option();
// The command, as one that reads stored runs: with the option that lifts its limits.
[[nodiscard]] Command reading(Command command);

// The options of one list after the other.
[[nodiscard]] std::vector<Option> joined(const std::vector<std::vector<Option>>& lists);

// Options that are durations.
// Nothing where the option is not given. Throws UsageError unless it is a duration of more than 0.
[[nodiscard]] inline std::optional<core::Duration> duration_in(const Arguments& arguments,
                                                               const std::string& name) {
  const auto text = arguments.text(name);
  if (!text) return {};
  const auto duration = scenarios::parse_duration(*text);
  if (duration && *duration > core::Duration::zero()) return duration;
  throw UsageError("--" + name + " is a duration such as 90s, 10min or 30d, and not \"" + *text +
                   "\"");
}

}  // namespace rhizome::tools
