#include "tools/commands/running/present.hpp"
#include "tools/cli/output.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

#include "tools/cli/console.hpp"
#include "tools/compare/compare.hpp"
#include "tools/compare/render.hpp"
#include "tools/compare/wording.hpp"
#include "tools/markup/markdown.hpp"
#include "tools/sweep/sweep.hpp"

namespace rhizome::tools {

namespace {

using scenarios::Cell;

// For more cells than these, a table of each would hide the answer.
constexpr std::size_t few_cells = 3;

// Runs of several sources do not form one sweep.
std::vector<Sweep> sweeps_of(const Session& session, const Arguments& arguments,
                             double confidence) {
  const std::vector<RunFigures>& runs = session.runs;
  const bool one_source = std::ranges::all_of(
      runs, [&](const RunFigures& run) { return run.origin == runs.front().origin; });
  std::vector<Sweep> sweeps;
  for (const Metric* metric : sweep_metrics(arguments))
    if (auto sweep = sweep_of(runs, *metric, confidence); one_source && sweep)
      sweeps.push_back(std::move(*sweep));
  return sweeps;
}

[[noreturn]] void refuse_by() {
  throw UsageError(
      "--by chooses the metric that the table of a sweep shows, and nothing is swept: give a key a "
      "list or a range, as in -s workload.jobs=[200,800], or choose what to show by --metrics");
}

struct Answers {
  std::vector<Sweep> sweeps;
  std::vector<Comparison> comparisons;
  std::span<const ClaimResult> claims;
  std::span<const std::string> partial;  // why they are of a part only

  // Whether each cell has its table.
  [[nodiscard]] bool cell_by_cell(bool all) const {
    return sweeps.empty() || all || comparisons.size() <= few_cells;
  }
};

std::string hint(const Answers& answers) {
  return "The tables of the " + std::to_string(answers.comparisons.size()) +
         " cells: --all. Other metrics: --by METRIC.";
}

std::string text_of(const Answers& answers, const TextOptions& options) {
  std::string text;
  for (const Sweep& sweep : answers.sweeps) text += text_of(sweep, options) + "\n";
  if (answers.cell_by_cell(options.all)) {
    for (const Comparison& comparison : answers.comparisons)
      text += text_of(comparison, options) + "\n";
  } else {
    for (const std::string& warning : warnings_of(answers.comparisons))
      text += wrapped("! " + warning, options.columns, 2);
    text += wrapped(hint(answers), options.columns, 0);
  }
  for (const std::string& partial : answers.partial)
    text += wrapped("! " + partial, options.columns, 2);
  return text + (answers.claims.empty() ? "" : text_of(answers.claims, options));
}

std::string json_of(const Answers& answers) {
  Json sweeps = Json::array();
  for (const Sweep& sweep : answers.sweeps) sweeps.push_back(json_of(sweep));
  return json_of(answers.comparisons, answers.claims, sweeps, answers.partial);
}

std::string markdown_of(const Answers& answers, bool all) {
  std::string text;
  for (const Sweep& sweep : answers.sweeps) text += markdown_of(sweep) + "\n";
  if (answers.cell_by_cell(all)) {
    for (const Comparison& comparison : answers.comparisons)
      text += markdown_of(comparison, all) + "\n";
  } else {
    for (const std::string& warning : warnings_of(answers.comparisons))
      text += markdown_warning(warning) + "\n";
  }
  for (const std::string& partial : answers.partial) text += markdown_warning(partial) + "\n";
  return text + markdown_of(answers.claims);
}

}  // namespace

namespace {

const Metric& metric_named(const std::string& name) {
  const Metric* metric = scenarios::find_metric(name);
  if (name.find(',') != name.npos)
    throw UsageError("\"" + name + "\" is several metrics: give the option once for each");
  if (metric == nullptr) throw UsageError(scenarios::no_metric(name));
  return *metric;
}

}  // namespace

Exit exit_of(const Session& session) {
  if (session.interrupted) return Exit::interrupted;
  switch (overall(session.claims, session.runs)) {
    case Standing::holds:
      return Exit::holds;
    case Standing::fails:
      return Exit::fails;
    case Standing::not_distinguishable:
    case Standing::inconclusive:
      break;
  }
  return Exit::inconclusive;
}

std::vector<const Metric*> metrics_shown(const Arguments& arguments) {
  const auto text = arguments.text("metrics");
  if (!text) return {};
  if (arguments.has("all")) throw UsageError("--all and --metrics exclude each other");
  std::vector<const Metric*> chosen;
  for (std::size_t at = 0; at <= text->size();) {
    const std::size_t end = std::min(text->find(',', at), text->size());
    chosen.push_back(&metric_named(text->substr(at, end - at)));
    at = end + 1;
  }
  return chosen;
}

Option metrics_option() {
  return {.name = "metrics",
          .value = "A,B,C",
          .help = "show these metrics; the first with a good direction names the best"};
}

const Metric& ranking_metric(const std::string& name) {
  const Metric* metric = &metric_named(name);
  if (metric->better == Better::neither)
    throw UsageError(name + " cannot rank: neither less nor more of it is better");
  return *metric;
}

std::vector<const Metric*> sweep_metrics(const Arguments& arguments) {
  std::vector<std::string> names = arguments.texts("by");
  if (names.empty()) names.emplace_back("makespan");
  std::vector<const Metric*> chosen;
  for (const std::string& name : names) chosen.push_back(&metric_named(name));
  return chosen;
}

Option by_option() {
  return {.name = "by",
          .value = "METRIC",
          .help = "the metric in the table and chart of a sweep (makespan; repeatable)",
          .repeatable = true};
}

void check_sweep_options(const Arguments& arguments, const std::vector<Cell>& cells) {
  static_cast<void>(sweep_metrics(arguments));
  static_cast<void>(metrics_shown(arguments));
  const bool swept =
      std::ranges::any_of(cells, [](const Cell& cell) { return !cell.assignments.empty(); });
  if (arguments.has("by") && !swept) refuse_by();
}

Exit present(const Session& session, const Arguments& arguments, const std::vector<Cell>& cells) {
  const double confidence = cells.empty() ? 0.95 : cells.front().scenario.run.confidence;
  const std::vector<const Metric*> shown = metrics_shown(arguments);
  const Answers answers{
      .sweeps = sweeps_of(session, arguments, confidence),
      .comparisons = compare(session.runs, {.sides = cells.empty() ? Sides::runs : Sides::labels,
                                            .confidence = confidence,
                                            .only = shown}),
      .claims = session.claims,
      .partial = session.partial};
  if (arguments.has("by") && answers.sweeps.empty() && !session.interrupted) refuse_by();
  const std::string format = arguments.text("output").value_or("text");
  const bool all = arguments.has("all") || !shown.empty();
  const std::string text =
      format == "json" ? json_of(answers)
      : format == "markdown"
          ? markdown_of(answers, all)
          : text_of(answers, {.colour = colour_wanted(), .all = all, .columns = output_columns()});
  if (colour_wanted() && format == "text")
    std::fputs(plain_but_for_inks(text).c_str(), stdout);
  else
    print_text(text);
  return exit_of(session);
}

}  // namespace rhizome::tools
