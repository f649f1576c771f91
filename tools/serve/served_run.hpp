// What the directory of a run that serves says of it, from its begin on: which scheduler does the
// jobs, and which file has them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rhizome::tools {

struct ServedRun {
  std::string scheduler;        // its label
  std::filesystem::path store;  // an absolute path
};

// Throws scenarios::CannotWrite.
void note_served_run(const std::filesystem::path& directory, const ServedRun& run);
// None if no server made the directory.
[[nodiscard]] std::optional<ServedRun> served_run_in(const std::filesystem::path& directory);

}  // namespace rhizome::tools
