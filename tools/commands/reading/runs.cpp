// The run directories of a folder: lists them, and removes old ones.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "scenarios/store/run_list.hpp"
#include "scenarios/text/json.hpp"
#include "scenarios/text/plain_text.hpp"
#include "tools/cli/messages.hpp"
#include "tools/cli/options.hpp"
#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/resume.hpp"
#include "tools/compare/layout.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Json;
using scenarios::ListedRun;

std::string size_text(std::uintmax_t bytes) {
  if (bytes < 10'000) return std::to_string(bytes) + " B";
  if (bytes < 10'000'000) return std::to_string(bytes / 1000) + " kB";
  return std::to_string(bytes / 1'000'000) + " MB";
}

// The state in a word; the help of the command tells what to do about it.
std::string state_of(const ListedRun& run) {
  if (!run.verdict.empty()) return scenarios::plain_text(run.verdict);
  return run.under_way ? "under way" : "killed";
}

std::string text_of(const std::vector<ListedRun>& runs, const std::string& root) {
  if (runs.empty()) return "There are no runs in " + root + ".\n";
  std::vector<std::vector<std::string>> rows{{"directory", "runs", "size", "verdict"}};
  for (const ListedRun& run : runs)
    rows.push_back({scenarios::plain_text(run.path.filename().string()), std::to_string(run.runs),
                    size_text(run.bytes), state_of(run)});
  return in_blocks(rows, usual_page);
}

std::string json_of(const std::vector<ListedRun>& runs) {
  Json list = Json::array();
  for (const ListedRun& run : runs)
    list.push_back({{"directory", run.path.string()},
                    {"scenario", run.name},
                    {"started", run.started},
                    {"ended", run.ended},
                    {"runs", run.runs},
                    {"bytes", run.bytes},
                    {"verdict", state_of(run)}});
  return scenarios::text_of(Json{{"schema", "rhizome.runs/1"}, {"runs", list}});
}

scenarios::PruneRule rule_in(const Arguments& arguments) {
  scenarios::PruneRule rule;
  if (const auto keep = arguments.number("keep", 0)) rule.keep = *keep;
  if (const auto age = duration_in(arguments, "older-than"))
    rule.older = std::chrono::duration_cast<std::chrono::seconds>(*age);
  if (!rule.keep && !rule.older)
    throw UsageError("--prune needs --keep N, --older-than AGE, or both: which runs are to go");
  return rule;
}

Exit prune(const std::string& root, const Arguments& arguments) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  scenarios::Removal removal{
      .gone = scenarios::let_go(scenarios::list_runs(root, scenarios::Whose::own),
                                rule_in(arguments), now)};
  if (!arguments.has("dry-run")) removal = scenarios::remove_runs(root, removal.gone);
  std::uintmax_t bytes = 0;
  for (const ListedRun& run : removal.gone) {
    print_text(scenarios::plain_text(run.path.string()) + "\n");
    bytes += run.bytes;
  }
  const std::size_t count = removal.gone.size();
  tell(fmt::format("{} {} of {}", arguments.has("dry-run") ? "Would remove" : "Removed",
                   count == 1 ? "1 directory" : std::to_string(count) + " directories",
                   size_text(bytes)));
  for (const std::string& text : removal.failed) complain(text);
  return removal.failed.empty() ? Exit::holds : Exit::cannot_write;
}

}  // namespace

Exit runs_command(const Arguments& arguments) {
  const std::string root = runs_folder(arguments).string();
  if (arguments.has("prune")) {
    if (arguments.has("output")) throw UsageError("--output has no effect with --prune");
    return prune(root, arguments);
  }
  arguments.refuse({"keep", "older-than", "dry-run"}, "has no effect without --prune");
  const std::vector<ListedRun> runs = scenarios::list_runs(root);
  print_text(arguments.text("output") == "json" ? json_of(runs) : text_of(runs, root));
  return Exit::holds;
}

}  // namespace rhizome::tools
