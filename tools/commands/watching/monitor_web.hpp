// rhizome monitor --web and --metrics: what is served, of runs under way and of finished ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tools/cli/command.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

// What can be seen again: a recording, which is a plain file, or a finished run, which has a store.
struct FinishedRun {
  std::filesystem::path path;
  bool stored = false;
};
[[nodiscard]] std::optional<FinishedRun> finished_at(const std::filesystem::path& path);
// The place of an outcome that is counted from 1; the first for 0. Throws UsageError where there
// are not so many; the option has asked for it.
[[nodiscard]] std::size_t outcome_of(std::uint64_t number, std::size_t outcomes,
                                     const std::string& option);

// Nothing but digits.
[[nodiscard]] bool is_number(const std::string& text);
[[nodiscard]] bool serves(const Arguments& arguments);
// Throws UsageError where options of serving contradict each other, or others.
void check_serving(const Arguments& arguments);
// Until it is interrupted, which is how it is meant to end; what was seen last stays. The run is
// that of the number, from 0, or whichever began last.
[[nodiscard]] Exit serve_run(const Registry& registry, const RegisteredRun& run,
                             std::optional<std::uint32_t> number, const Arguments& arguments);
// The same of what is over. Throws UnreadableFile and BadRecording.
[[nodiscard]] Exit serve_finished(const FinishedRun& finished, const Arguments& arguments);

}  // namespace rhizome::tools
