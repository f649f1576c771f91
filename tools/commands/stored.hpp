// Reads outcomes of a stored run: shared by the commands that inspect a run.
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

// The defaults that the help of the options names.
struct Unchosen {
  std::string label = "the first";
  std::string repetition = "1";
};

// --scheduler, --repetition and --runs-dir.
[[nodiscard]] std::vector<Option> stored_options(const Unchosen& unchosen = {});

// Whether a word names a scenario, and no run directory.
[[nodiscard]] bool is_scenario(const std::string& word);

// The directory that a word names: a path, or a run in --runs-dir such as "latest". Throws
// UsageError for a name that stands both here and in the usual folder of runs.
[[nodiscard]] std::filesystem::path stored_path(const std::string& word,
                                                const Arguments& arguments);

// The name of each file or directory, with as many parent folders as distinguish it from all
// others: "a/first" and "b/first". Throws UsageError if one of them is named twice.
[[nodiscard]] std::vector<std::string> distinct_names(
    const std::vector<std::filesystem::path>& paths);

// "NAME was interrupted: this is what it had finished"; empty for a complete run.
[[nodiscard]] std::string partial_text(const scenarios::StoredRun& run);

// The run that a word names. Warns if the run was interrupted and is incomplete. Throws
// UnreadableFile if none of its runs was finished, because empty output could be mistaken for a
// result.
[[nodiscard]] scenarios::StoredRun open_stored(const std::string& word, const Arguments& arguments);

// The indices of the outcomes that --scheduler and --repetition choose; all if the options are not
// given. Throws UsageError if no outcome matches.
[[nodiscard]] std::vector<std::size_t> chosen_of(const scenarios::StoredRun& run,
                                                 const Arguments& arguments);

// The outcome that the first argument and the options choose. If several match, takes the first one
// and reports that on standard error. Throws UsageError if no outcome matches.
[[nodiscard]] scenarios::Outcome read_stored(const Arguments& arguments);
// The same of a run that was opened.
[[nodiscard]] scenarios::Outcome read_stored(const scenarios::StoredRun& run,
                                             const Arguments& arguments);

// The task that a word such as "3.17" names: job 3, portion 17. Throws UsageError for other words.
[[nodiscard]] agents::TaskId task_named(const std::string& word);

}  // namespace rhizome::tools
