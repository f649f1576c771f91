// Implements rhizome monitor --web and --metrics: serves runs under way and finished runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tools/cli/command.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

// A run that can be shown again: a recording, which is a plain file, or a finished run, which has a
// store.
struct FinishedRun {
  std::filesystem::path path;
  bool stored = false;
};
[[nodiscard]] std::optional<FinishedRun> finished_at(const std::filesystem::path& path);
// The index of an outcome whose `number` counts from 1; 0 means the first. Throws UsageError, which
// names the option, if the number is too large.
[[nodiscard]] std::size_t outcome_of(std::uint64_t number, std::size_t outcomes,
                                     const std::string& option);

// Whether the text consists of digits only.
[[nodiscard]] bool is_number(const std::string& text);
[[nodiscard]] bool serves(const Arguments& arguments);
// Throws UsageError if the options for serving contradict each other or other options.
void check_serving(const Arguments& arguments);
// Serves the run of that number, from 0, or the newest run if there is no number. It ends normally
// by an interrupt; after the run has ended, its last state stays visible.
[[nodiscard]] Exit serve_run(const Registry& registry, const RegisteredRun& run,
                             std::optional<std::uint32_t> number, const Arguments& arguments);
// Serves a finished run in the same way. Throws UnreadableFile and BadRecording.
[[nodiscard]] Exit serve_finished(const FinishedRun& finished, const Arguments& arguments);

}  // namespace rhizome::tools
