#include <algorithm>
#include <filesystem>

#include "core/peer/number_text.hpp"
#include "scenarios/store/directory.hpp"
#include "scenarios/text/nearest.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/running/present.hpp"
#include "tools/commands/running/session.hpp"
#include "tools/commands/stored.hpp"
#include "tools/compare/judgement.hpp"

namespace rhizome::tools {

namespace {

// One side of a comparison: a scenario to run, or stored runs.
struct Source {
  std::string word;
  std::filesystem::path path{};  // of the scenario, or of the run directory
  std::string name{};            // unique name in tables
  std::vector<scenarios::Cell> cells{};
  std::vector<RunFigures> stored{};
  std::string partial{};  // why stored runs are incomplete
};

bool is_called(const RunFigures& run, const std::string& name) {
  return name == run.identity.label || name == run.identity.scheduler ||
         name == "=" + run.identity.label;
}

// Keeps the stored runs of the requested schedulers, by label or use, or =LABEL; all if none is
// requested.
void keep_asked_for(std::vector<RunFigures>& runs, const std::vector<std::string>& names) {
  if (names.empty() || runs.empty()) return;
  std::vector<std::string> known;
  for (const RunFigures& run : runs)
    for (const std::string& name : {run.identity.label, run.identity.scheduler})
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const std::string& name : names)
    if (std::ranges::none_of(runs, [&](const RunFigures& run) { return is_called(run, name); }))
      throw UsageError("no scheduler of " + runs.front().origin + " is called \"" + name + "\"" +
                       scenarios::suggestion(name, known));
  std::erase_if(runs, [&](const RunFigures& run) {
    return std::ranges::none_of(names,
                                [&](const std::string& name) { return is_called(run, name); });
  });
}

// All that can be wrong with it shows here.
Source open_source(const std::string& word, const Arguments& arguments) {
  Source source{.word = word};
  if (is_scenario(word)) {
    source.path = word;
    source.cells = read_cells(word, arguments);
    check_before_running(source.cells, processes_of(arguments));
    return source;
  }
  const scenarios::StoredRun run = open_stored(word, arguments);
  source.path = run.path;
  for (std::size_t i = 0; i < run.store.size(); ++i)
    source.stored.push_back(figures_of(run.read(i), run.name()));
  source.partial = partial_text(run);
  keep_asked_for(source.stored, arguments.texts("scheduler"));
  return source;
}

// Rows of two directories of one name must be told apart. A scenario is called by its name without
// the extension, unless a run directory is called so.
void name_sources(std::vector<Source>& sources) {
  std::vector<std::filesystem::path> paths;
  for (const Source& source : sources) paths.push_back(source.path);
  const std::vector<std::string> names = distinct_names(paths);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string bare = is_scenario(sources[i].word)
                                 ? std::filesystem::path(names[i]).replace_extension().string()
                                 : names[i];
    const bool taken = bare != names[i] && std::ranges::count(names, bare) > 0;
    sources[i].name = taken ? names[i] : bare;
    for (RunFigures& run : sources[i].stored) run.origin = sources[i].name;
  }
}

std::vector<scenarios::Cell> to_be_run(const std::vector<Source>& sources) {
  std::vector<scenarios::Cell> all;
  for (const Source& source : sources)
    all.insert(all.end(), source.cells.begin(), source.cells.end());
  return all;
}

void add_fresh(Session& session, const Source& source, const Arguments& arguments,
               Together& together) {
  Session fresh = run_session(source.cells, arguments, together);
  for (RunFigures& run : fresh.runs) {
    run.origin = source.name;
    session.runs.push_back(std::move(run));
  }
  session.claims.insert(session.claims.end(), fresh.claims.begin(), fresh.claims.end());
  session.partial.insert(session.partial.end(), fresh.partial.begin(), fresh.partial.end());
  session.interrupted = fresh.interrupted;
}

// Processes agree on the cells of one.
void check_one_scenario(const std::vector<Source>& sources, const Arguments& arguments) {
  const auto scenarios =
      std::ranges::count_if(sources, [](const Source& source) { return !source.cells.empty(); });
  if (scenarios > 1 && processes_of(arguments) > 1)
    throw UsageError("--processes is for one scenario at a time");
}

constexpr double usual_confidence = 0.95;

// "makespan=2%", or without a percentage none.
NoWorse no_worse_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  NoWorse bound{.metric = &ranking_metric(text.substr(0, sign))};
  if (sign == std::string::npos) return bound;
  std::string number = text.substr(sign + 1);
  if (number.ends_with('%')) number.pop_back();
  bound.percent = core::parse_number<double>(number).value_or(-1);
  if (!(bound.percent >= 0 && bound.percent < 1e6))
    throw UsageError("--no-worse is METRIC=PERCENT, such as makespan=2%, and not \"" + text + "\"");
  return bound;
}

std::vector<NoWorse> no_worse_in(const Arguments& arguments) {
  std::vector<NoWorse> bounds;
  for (const std::string& text : arguments.texts("no-worse")) bounds.push_back(no_worse_of(text));
  if (!bounds.empty() && arguments.positional().size() < 2)
    throw UsageError("--no-worse compares several runs: name at least two");
  return bounds;
}

}  // namespace

// A single source compares its schedulers; several are set side by side.
Exit compare_command(const Arguments& arguments) {
  const auto& words = arguments.positional();
  const std::vector<NoWorse> bounds = no_worse_in(arguments);
  static_cast<void>(metrics_shown(arguments));
  if (words.size() == 1 && is_scenario(words.front())) return run_command(arguments);
  if (arguments.has("by") && words.size() > 1)
    throw UsageError("--by is for a single sweep, and several sources are set side by side");
  if (arguments.has("share") && words.size() > 1)
    throw UsageError("--share is for a single scenario, and several sources are set side by side");
  std::vector<Source> sources;
  for (const std::string& word : words) sources.push_back(open_source(word, arguments));
  name_sources(sources);
  const std::vector<scenarios::Cell> fresh = to_be_run(sources);
  check_running_options(fresh, arguments);
  check_one_scenario(sources, arguments);
  Together together(arguments, fresh);
  if (together.follows()) return together.follow();
  Session session;
  for (const Source& source : sources) {
    if (session.interrupted) {
      session.partial.push_back(source.word + " was not begun: there was an interrupt before");
      continue;
    }
    if (!source.partial.empty()) session.partial.push_back(source.partial);
    session.runs.insert(session.runs.end(), source.stored.begin(), source.stored.end());
    if (!source.cells.empty()) add_fresh(session, source, arguments, together);
  }
  if (words.size() == 1)  // one stored run: its schedulers, cell by cell, as when it was fresh
    for (RunFigures& run : session.runs) run.origin.clear();
  for (ClaimResult& result : judge_no_worse(bounds, session.runs, usual_confidence))
    session.claims.push_back(std::move(result));
  return present(session, arguments, {});
}

}  // namespace rhizome::tools
