// One outcome out of a stored run: what the commands that look into a run share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "agents/task.hpp"
#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/directory.hpp"
#include "tools/cli/command.hpp"

namespace rhizome::tools {

// What is taken where an option leaves the choice open, for its help.
struct Unchosen {
  std::string label = "the first";
  std::string repetition = "1";
};

// --scheduler, --repetition and --runs-dir.
[[nodiscard]] std::vector<Option> stored_options(const Unchosen& unchosen = {});

// The directory that a word names: itself, or a run of --runs-dir such as "latest".
[[nodiscard]] std::filesystem::path stored_path(const std::string& word,
                                                const Arguments& arguments);

// "NAME was interrupted: this is what it had finished"; empty of a whole run.
[[nodiscard]] std::string partial_text(const scenarios::StoredRun& run);

// The run that a word names. Of one that was broken off it is told that this is a part. Throws
// UnreadableFile where nothing of it was finished, so that nobody takes silence for a result.
[[nodiscard]] scenarios::StoredRun open_stored(const std::string& word, const Arguments& arguments);

// Which of its outcomes --scheduler and --repetition choose; all where they leave it open. Throws
// UsageError when there is none.
[[nodiscard]] std::vector<std::size_t> chosen_of(const scenarios::StoredRun& run,
                                                 const Arguments& arguments);

// The outcome that the first argument and the options choose; the first one where they leave it
// open, which is then told on standard error. Throws UsageError when there is none.
[[nodiscard]] scenarios::Outcome read_stored(const Arguments& arguments);

// The task that a word such as "3.17" names: the job and its portion. Throws UsageError for others.
[[nodiscard]] agents::TaskId task_named(const std::string& word);

}  // namespace rhizome::tools
