// One outcome out of a stored run: what the commands that look into a run share.
#pragma once

#include <filesystem>
#include <vector>

#include "scenarios/outcome/outcome.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// --scheduler, --repetition and --runs-dir.
[[nodiscard]] std::vector<Option> stored_options();

// The directory that a word names: itself, or a run of --runs-dir such as "latest".
[[nodiscard]] std::filesystem::path stored_path(const std::string& word,
                                                const Arguments& arguments);

// The outcome that the first argument and the options choose; the first one where they leave it
// open, which is then told on standard error. Throws UsageError when there is none.
[[nodiscard]] scenarios::Outcome read_stored(const Arguments& arguments);

}  // namespace rhizome::tools
