#include <filesystem>

#include "scenarios/store/directory.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/present.hpp"
#include "tools/commands/session.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

bool is_scenario(const std::string& word) {
  return std::filesystem::path(word).extension() == ".toml";
}

// One of those set side by side: a scenario that is to be run, or what was stored.
struct Source {
  std::string word;
  std::vector<scenarios::Cell> cells{};
  std::vector<RunFigures> stored{};
};

// All that can be wrong with it shows here.
Source open_source(const std::string& word, const Arguments& arguments) {
  Source source{.word = word};
  if (is_scenario(word)) {
    source.cells = read_cells(word, arguments);
    check_before_running(source.cells);
    return source;
  }
  const scenarios::StoredRun run = scenarios::open_run(stored_path(word, arguments));
  for (std::size_t i = 0; i < run.store.size(); ++i)
    source.stored.push_back(figures_of(run.store.read(i), run.path.filename().string()));
  return source;
}

void add_fresh(Session& session, const Source& source, const Arguments& arguments) {
  Session fresh = run_session(source.cells, arguments);
  for (RunFigures& run : fresh.runs) {
    run.origin = std::filesystem::path(source.word).stem().string();
    session.runs.push_back(std::move(run));
  }
  session.claims.insert(session.claims.end(), fresh.claims.begin(), fresh.claims.end());
  session.interrupted = fresh.interrupted;
}

}  // namespace

// A single source compares its schedulers; several are set side by side.
Exit compare_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  if (words.size() == 1 && is_scenario(words.front())) return run_command(arguments);
  if (arguments.has("by") && words.size() > 1)
    throw UsageError("--by is for a single sweep, and several sources are set side by side");
  std::vector<Source> sources;
  for (const std::string& word : words) sources.push_back(open_source(word, arguments));
  Session session;
  for (const Source& source : sources) {
    if (session.interrupted) break;
    session.runs.insert(session.runs.end(), source.stored.begin(), source.stored.end());
    if (!source.cells.empty()) add_fresh(session, source, arguments);
  }
  if (words.size() == 1)  // one stored run: its schedulers, cell by cell, as when it was fresh
    for (RunFigures& run : session.runs) run.origin.clear();
  return present(session, arguments, {});
}

}  // namespace rhizome::tools
