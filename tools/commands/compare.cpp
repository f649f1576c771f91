#include <filesystem>

#include "scenarios/store/directory.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/session.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

namespace {

bool is_scenario(const std::string& word) {
  return std::filesystem::path(word).extension() == ".toml";
}

void add_stored(Session& session, const std::string& word, const Arguments& arguments) {
  const scenarios::StoredRun run = scenarios::open_run(stored_path(word, arguments));
  for (std::size_t i = 0; i < run.store.size(); ++i)
    session.runs.push_back(figures_of(run.store.read(i), run.path.filename().string()));
}

void add_fresh(Session& session, const std::string& word, const Arguments& arguments) {
  Session fresh = run_session(read_cells(word, arguments), arguments);
  for (RunFigures& run : fresh.runs) {
    run.origin = std::filesystem::path(word).stem().string();
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
  Session session;
  for (const std::string& word : words) {
    if (session.interrupted) break;
    if (is_scenario(word)) {
      add_fresh(session, word, arguments);
    } else {
      add_stored(session, word, arguments);
    }
  }
  if (words.size() == 1)  // one stored run: its schedulers, cell by cell, as when it was fresh
    for (RunFigures& run : session.runs) run.origin.clear();
  return present(session, arguments, {});
}

}  // namespace rhizome::tools
