#include "tools/commands/stored.hpp"
#include "tools/monitor/filter.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "scenarios/live/seen/recording.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/nearest.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/shell.hpp"
#include "tools/compare/figures.hpp"

namespace rhizome::tools {

std::vector<Option> stored_options(const Unchosen& unchosen) {
  return {{.name = "scheduler",
           .value = "LABEL",
           .help = "which scheduler, if there are several (" + unchosen.label + ")"},
          {.name = "repetition",
           .value = "N",
           .help = "which repetition, counted from 1 (" + unchosen.repetition + ")"},
          runs_dir_option()};
}

bool is_scenario(const std::string& word) {
  std::error_code ignored;
  return std::filesystem::path(word).extension() == ".toml" &&
         !std::filesystem::is_directory(word, ignored);
}

std::filesystem::path stored_path(const std::string& word, const Arguments& arguments) {
  std::error_code ignored;  // a word too long for a file is no file
  const bool folder = arguments.has("runs-dir");
  const bool here = std::filesystem::exists(word, ignored);
  const bool is_path = word == "." || word == ".." || word.find('/') != std::string::npos;
  const bool also_stored = std::filesystem::exists(std::filesystem::path("runs") / word, ignored);
  if (!here || (folder && !is_path)) return runs_folder(arguments) / word;
  // In a folder for all, another user may have put a run of that name here.
  if (!is_path && also_stored)
    throw UsageError(word + " is here and in runs: say ./" + word + " or runs/" + word);
  if (scenarios::live::is_recording(word))
    throw scenarios::UnreadableFile(word + " is a recording: rhizome monitor " + shell_word(word) +
                                    " shows it");
  return word;
}

namespace {

// The last components of a path; the whole path where it has no more.
std::string last_of(const std::filesystem::path& path, std::size_t components) {
  std::filesystem::path last;
  std::filesystem::path rest = path;
  for (; components > 0 && rest.has_filename(); --components, rest = rest.parent_path())
    last = last.empty() ? rest.filename() : rest.filename() / last;
  return last.string();
}

std::string distinct_name(const std::filesystem::path& path,
                          const std::vector<std::filesystem::path>& all) {
  if (std::ranges::count(all, path) > 1) throw UsageError(path.string() + " is named twice");
  std::size_t components = 1;
  while (std::ranges::count_if(all, [&](const std::filesystem::path& other) {
           return last_of(other, components) == last_of(path, components);
         }) > 1)
    ++components;
  return last_of(path, components);
}

}  // namespace

std::vector<std::string> distinct_names(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> real;
  for (const std::filesystem::path& path : paths)
    real.push_back(std::filesystem::weakly_canonical(path));
  std::vector<std::string> names;
  for (const std::filesystem::path& path : real)
    names.push_back(scenarios::plain_text(distinct_name(path, real)));
  return names;
}

namespace {

// How a run was broken off; empty for a whole run, and if its record does not tell.
std::string end_of(const scenarios::RunRecord& record) {
  if (record.verdict == "interrupted") return " was interrupted";
  if (!record.name.empty() && record.verdict.empty()) return " has not ended, or was killed";
  return {};
}

}  // namespace

std::string partial_text(const scenarios::StoredRun& run) {
  const std::string end = end_of(run.record);
  return end.empty() ? end : run.name() + end + ": this is what it had finished";
}

scenarios::StoredRun open_stored(const std::string& word, const Arguments& arguments) {
  scenarios::StoredRun run = scenarios::open_run(stored_path(word, arguments));
  const std::string end = end_of(run.record);
  if (run.store.size() == 0)
    throw scenarios::UnreadableFile(
        run.name() + (end.empty() ? " is empty" : end) +
        ": nothing of it was finished, so that there is nothing to read");
  if (const std::string partial = partial_text(run); !partial.empty()) warn(partial);
  return run;
}

std::vector<std::size_t> chosen_of(const scenarios::StoredRun& run, const Arguments& arguments) {
  const auto label = arguments.text("scheduler");
  const auto repetition = arguments.number("repetition", 1);
  std::vector<std::string> labels;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < run.store.size(); ++i) {
    const scenarios::Identity identity = run.store.identity(i);
    if (std::ranges::find(labels, identity.label) == labels.end()) labels.push_back(identity.label);
    const bool wanted = (!label || identity.label == *label) &&
                        (!repetition || identity.repetition + 1 == *repetition);
    if (wanted) found.push_back(i);
  }
  if (label && std::ranges::find(labels, *label) == labels.end())
    throw UsageError("this run has no scheduler \"" + *label + "\"" +
                     scenarios::suggestion(*label, labels));
  if (found.empty()) throw UsageError("this run has no such repetition");
  return found;
}

scenarios::Outcome read_stored(const Arguments& arguments) {
  return read_stored(open_stored(arguments.positional().front(), arguments), arguments);
}

scenarios::Outcome read_stored(const scenarios::StoredRun& run, const Arguments& arguments) {
  const std::vector<std::size_t> found = chosen_of(run, arguments);
  scenarios::Outcome outcome = run.read(found.front());
  if (found.size() > 1) {
    const std::string cell = cell_text(outcome.identity);
    warn(fmt::format("this is {}, repetition {}{}{}: one of {} runs (--scheduler, --repetition)",
                     outcome.identity.label, outcome.identity.repetition + 1,
                     cell.empty() ? "" : ", ", cell, found.size()));
  }
  if (!outcome.failure.empty()) warn("this run failed: " + outcome.failure);
  if (outcome.validity.level == scenarios::Validity::Level::invalid)
    warn("this run is invalid: " + outcome.validity.reason +
         (outcome.lost.empty() ? "" : "; what the lost peers sent and did is not counted"));
  if (outcome.steered.operator_commands > 0) warn("this run was steered by hand");
  return outcome;
}

agents::TaskId task_named(const std::string& word) {
  if (const auto task = parse_task(word)) return *task;
  throw UsageError("\"" + word + "\" names no task: write JOB.PORTION, such as 3.17");
}

}  // namespace rhizome::tools
